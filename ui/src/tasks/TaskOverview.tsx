import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Json, Task } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { Ago } from '../pieces/Ago';
import { LabelList } from '../pieces/LabelList';
import { Facts, Mono, Panel } from '../pieces/Panel';
import { useDuration } from '../pieces/useDuration';
import { Took } from './Took';
import { useRetryWords } from './useRetryWords';

/** Everything there is to know about a task, but for what has a panel of its own. */
export function TaskOverview({ task }: { task: Task }) {
  const { t } = useTranslation();
  const ns = useNs();
  const duration = useDuration();
  const retryRule = useRetryWords();
  const late = task.started === undefined ? undefined : Date.parse(task.started) - Date.parse(task.scheduled);
  return (
    <Panel title={t('task.overview')}>
      <Facts
        facts={[
          [t('task.id'), <Mono key="id">{task.id}</Mono>],
          [t('task.job'), task.job === undefined ? t('task.noJob') : <Anchor key="job" component={Link} to={to.job(ns, task.job)} size="sm">{task.job}</Anchor>],
          [t('task.queue'), task.queue],
          [t('task.priority'), t(`priority.${task.priority}`)],
          task.worker !== undefined && [t('task.worker'), <Anchor key="worker" component={Link} to={to.tasks(ns, { worker: task.worker })} size="sm">{task.worker}</Anchor>],
          [t('task.executor'), task.executor.type],
          [t('task.scheduled'), <Ago key="scheduled" at={task.scheduled} />],
          task.due !== undefined && task.due !== task.scheduled && [t('task.due'), <Ago key="due" at={task.due} />],
          task.waits !== undefined && [t('task.waits'), task.waits],
          [t('task.created'), <Ago key="created" at={task.created} />],
          task.submittedBy !== undefined && [t('task.submittedBy'), task.submittedBy],
          task.started !== undefined && [t('task.started'), <Ago key="started" at={task.started} />],
          task.ended !== undefined && [t('task.ended'), <Ago key="ended" at={task.ended} />],
          task.started !== undefined && [t('task.took'), <Took key="took" task={task} />],
          late !== undefined && late > 0 && [t('task.late'), duration(late)],
          [t('task.attempts'), task.attempts],
          task.retries !== undefined && [t('task.retries'), task.retries],
          task.timeout !== undefined && [t('task.timeout'), duration(task.timeout)],
          task.atMostOnce !== undefined && [t('task.atMostOnce'), task.atMostOnce ? t('common.yes') : t('common.no')],
          task.idempotencyKey !== undefined && [t('task.key'), <Mono key="key">{task.idempotencyKey}</Mono>],
          hasAny(task.workers) && [t('task.needsWorkers'), <LabelList key="workers" labels={task.workers} most={12} />],
          task.retry !== undefined && [t('task.retryRule'), retryRule(task.retry)],
          task.limit !== undefined && [t('task.limit'), inline(task.limit)],
          hasAny(task.metadata) && [t('task.labels'), <LabelList key="labels" labels={task.metadata} most={12} />],
        ]}
      />
    </Panel>
  );
}

const hasAny = (labels: object | undefined): boolean => labels !== undefined && Object.keys(labels).length > 0;

/** A small rule in one line: key host · max 3. */
function inline(value: Json): string {
  return typeof value !== 'object' || value === null || Array.isArray(value)
    ? JSON.stringify(value)
    : Object.entries(value).map(([name, each]) => `${name} ${typeof each === 'string' ? each : JSON.stringify(each)}`).join(' · ');
}
