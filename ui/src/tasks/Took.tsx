import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Task } from '../api/shapes';
import { useNow } from '../pieces/now';
import { useDuration } from '../pieces/useDuration';

/** From the start to the end, or to now while it runs. */
export function Took({ task }: { task: Task }) {
  const { t } = useTranslation();
  const duration = useDuration();
  if (task.started === undefined) {
    return <Text span c="dimmed">{t('common.none')}</Text>;
  }
  if (task.ended === undefined) {
    return task.state === 'running' ? <SoFar since={task.started} /> : <Text span c="dimmed">{t('common.none')}</Text>;
  }
  return <span>{duration(Date.parse(task.ended) - Date.parse(task.started))}</span>;
}

function SoFar({ since }: { since: string }) {
  const { t } = useTranslation();
  const duration = useDuration();
  const now = useNow();
  const millis = Math.max(0, Math.floor((now - Date.parse(since)) / 1000) * 1000);
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{t('tasks.soFar', { duration: duration(millis) })}</span>;
}
