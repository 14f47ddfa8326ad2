import { Center, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Placeholder until the session is loaded. */
export function Waiting({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return <Center mih="100dvh" p="md">{children ?? <Loader aria-label={t('app.loading')} />}</Center>;
}
