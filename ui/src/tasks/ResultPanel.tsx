import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Result } from '../api/shapes';
import { DataView } from '../pieces/DataView';
import { Facts, Mono, Panel } from '../pieces/Panel';

export function ResultPanel({ result, isOver }: { result: Result | undefined; isOver: boolean }) {
  const { t } = useTranslation();
  if (result === undefined) {
    return <Panel title={t('task.result')}><Text size="sm" c="dimmed">{t(isOver ? 'task.resultNever' : 'task.resultNone')}</Text></Panel>;
  }
  return (
    <Stack gap="md">
      <Panel title={t('task.result')}>
        <Facts
          facts={[
            result.code !== undefined && [t('task.code'), <Mono key="code">{result.code}</Mono>],
            result.message !== undefined && [t('task.message'), <span key="message" style={{ whiteSpace: 'pre-wrap' }}>{result.message}</span>],
          ]}
        />
      </Panel>
      {result.data !== undefined && <DataView title={t('task.data')} value={result.data} />}
    </Stack>
  );
}
