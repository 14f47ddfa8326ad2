import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNs } from './ns';

/** The heading of a page, its actions, and its name in the browser's tab. */
export function PageHead({ title, name, above, below, actions }: {
  title: ReactNode;
  name: string;
  above?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
}) {
  const { t } = useTranslation();
  const ns = useNs();
  useEffect(() => {
    document.title = t('app.pageTitle', { page: name, namespace: ns });
  }, [t, name, ns]);
  return (
    <Stack gap={4} mb="md">
      {above}
      <Group justify="space-between" align="center" gap="sm">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{title}</Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {below}
    </Stack>
  );
}
