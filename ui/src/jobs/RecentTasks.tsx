import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { to, useNs } from '../frame/ns';
import { Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { TaskRows } from '../tasks/TaskRows';
import { useTasks } from '../tasks/tasks';

const SHOWN = 8;

export function RecentTasks({ job }: { job: string }) {
  const { t } = useTranslation();
  const ns = useNs();
  const tasks = useTasks(ns, { state: '', job, queue: '', worker: '', since: '', until: '' }, undefined, SHOWN);
  const all = <Anchor component={Link} to={to.tasks(ns, { job })} size="sm">{t('job.allTasks')}</Anchor>;
  if (tasks.data?.items.length === 0 && tasks.data.next === undefined) {
    return <Panel title={t('job.recent')}><Text size="sm" c="dimmed">{t('job.recentNone')}</Text></Panel>;
  }
  return (
    <Panel title={t('job.recent')} aside={all} flush>
      {tasks.error && !tasks.data
        ? <ProblemNote thrown={tasks.error} again={() => void tasks.refetch()} />
        : <TaskRows tasks={tasks.data?.items ?? []} loading={tasks.isPending} expected={SHOWN} framed={false} />}
    </Panel>
  );
}
