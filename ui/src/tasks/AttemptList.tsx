import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Attempt, Task } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { Ago } from '../pieces/Ago';
import { useNow } from '../pieces/now';
import { Panel } from '../pieces/Panel';
import { FailureBadge, StateBadge } from '../pieces/StateBadge';
import { useDuration } from '../pieces/useDuration';
import styles from './tasks.module.css';

/** The tries at a task, one after the other. */
export function AttemptList({ task }: { task: Task }) {
  const { t } = useTranslation();
  const history = task.history ?? [];
  return (
    <Panel title={t('task.history')}>
      {history.length === 0
        ? <Text size="sm" c="dimmed">{t('task.historyNone')}</Text>
        : <ol className={styles.attempts}>{history.map((attempt) => <Try key={attempt.number} attempt={attempt} />)}</ol>}
    </Panel>
  );
}

function Try({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation();
  const ns = useNs();
  return (
    <li data-outcome={attempt.outcome ?? (attempt.started === undefined ? 'assigned' : 'running')}>
      <Group gap={8}>
        <Text size="sm" fw={600}>{t('task.attempt', { number: attempt.number })}</Text>
        {attempt.failure !== undefined
          ? <FailureBadge failure={attempt.failure} />
          : <StateBadge state={attempt.outcome ?? (attempt.started === undefined ? 'assigned' : 'running')} />}
        <Text size="xs" c="dimmed"><Ago at={attempt.started ?? attempt.assigned} /></Text>
      </Group>
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={to.tasks(ns, { worker: attempt.worker })} size="xs">{t('task.onWorker', { worker: attempt.worker })}</Anchor>
        {' · '}<Lengths attempt={attempt} />{' · '}{t('task.tokenIs', { token: attempt.token })}
      </Text>
      {attempt.result?.message && <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>{attempt.result.message}</Text>}
    </li>
  );
}

function Lengths({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation();
  const duration = useDuration();
  const now = useNow();
  const { started, ended } = attempt;
  if (started === undefined) {
    return t('state.assigned');
  }
  return ended === undefined
    ? t('task.runningFor', { duration: duration(Math.max(0, Math.floor((now - Date.parse(started)) / 1000) * 1000)) })
    : t('task.ran', { duration: duration(Date.parse(ended) - Date.parse(started)) });
}
