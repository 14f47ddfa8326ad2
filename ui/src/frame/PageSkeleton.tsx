import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Holds the place of a page whose code or data is on the way. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack gap="md" role="status" aria-label={t('app.loading')}>
      <Skeleton height={34} width={220} />
      <Skeleton height={56} />
      <Skeleton height={420} />
    </Stack>
  );
}
