import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FirstIcon, LeftIcon, RightIcon } from './icons';
import type { Paging } from './usePaging';

/** Forward and back by cursors; the number of pages is not known, and not pretended. */
export function Pager({ paging, next }: { paging: Paging; next: string | undefined }) {
  const { t } = useTranslation();
  if (paging.page === 1 && next === undefined) {
    return null;
  }
  return (
    <Group component="nav" justify="flex-end" gap="xs" mt="sm" aria-label={t('common.page', { page: paging.page })}>
      <Text size="sm" c="dimmed" me="xs">{t('common.page', { page: paging.page })}</Text>
      <Button size="xs" variant="default" leftSection={<FirstIcon size={14} />} disabled={paging.page === 1} onClick={paging.first}>{t('common.first')}</Button>
      <Button size="xs" variant="default" leftSection={<LeftIcon size={14} />} disabled={paging.previous === undefined} onClick={paging.previous}>{t('common.previous')}</Button>
      <Button size="xs" variant="default" rightSection={<RightIcon size={14} />} disabled={next === undefined} onClick={() => next !== undefined && paging.forward(next)}>{t('common.next')}</Button>
    </Group>
  );
}
