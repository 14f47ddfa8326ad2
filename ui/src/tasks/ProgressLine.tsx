import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Task } from '../api/shapes';
import { Ago } from '../pieces/Ago';
import { Panel } from '../pieces/Panel';

export function ProgressLine({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { progress } = task;
  if (progress === undefined) {
    return null;
  }
  const percent = Math.round(Math.min(1, Math.max(0, progress.fraction ?? 0)) * 100);
  return (
    <Panel title={t('task.progress')} aside={<Text size="xs" c="dimmed"><Ago at={progress.at} /></Text>}>
      <Group gap="md" wrap="nowrap">
        <Progress value={percent} size="lg" style={{ flex: 1 }} aria-label={t('task.progressOf', { percent })} />
        <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>{t('workers.percent', { percent })}</Text>
      </Group>
      {progress.message && <Text size="sm" c="dimmed" mt={6} style={{ overflowWrap: 'anywhere' }}>{progress.message}</Text>}
    </Panel>
  );
}
