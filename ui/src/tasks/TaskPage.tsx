import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Json, Task } from '../api/shapes';
import { BackLink } from '../frame/BackLink';
import { to, useNs } from '../frame/ns';
import { PageHead } from '../frame/PageHead';
import { PageSkeleton } from '../frame/PageSkeleton';
import { Ago } from '../pieces/Ago';
import { DataView } from '../pieces/DataView';
import { StopIcon, WarnIcon } from '../pieces/icons';
import { Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { StateBadge } from '../pieces/StateBadge';
import { useWordFor } from '../words/useWordFor';
import { AttemptList } from './AttemptList';
import { LogPanel } from './LogPanel';
import { ProgressLine } from './ProgressLine';
import { ResultPanel } from './ResultPanel';
import { TaskActions } from './TaskActions';
import { TaskOverview } from './TaskOverview';
import { isFinal, useTask } from './tasks';

export default function TaskPage() {
  const { t } = useTranslation();
  const ns = useNs();
  const id = useParams<'task'>().task ?? '';
  const task = useTask(ns, id);
  if (task.data) {
    return <Shown key={id} task={task.data} />;
  }
  return (
    <>
      <PageHead title={id} name={id} above={<BackLink to={to.tasks(ns)} word={t('tasks.title')} />} />
      {task.error ? <ProblemNote thrown={task.error} again={() => void task.refetch()} /> : <PageSkeleton />}
    </>
  );
}

function Shown({ task }: { task: Task }) {
  const { t } = useTranslation();
  const ns = useNs();
  return (
    <>
      <PageHead
        title={task.name}
        name={task.name}
        above={<BackLink to={to.tasks(ns)} word={t('tasks.title')} />}
        below={<Group gap={8}><StateBadge state={task.state} /><Text size="sm" c="dimmed"><Ago at={task.ended ?? task.started ?? task.scheduled} /></Text></Group>}
        actions={<TaskActions task={task} />}
      />
      <Stack gap="md">
        <Notes task={task} />
        <ProgressLine task={task} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <TaskOverview task={task} />
          <Stack gap="md">
            <AttemptList task={task} />
            <ResultPanel result={task.result} isOver={isFinal(task)} />
            {task.payload === undefined
              ? <Panel title={t('task.payload')}><Text size="sm" c="dimmed">{t('task.payloadNone')}</Text></Panel>
              : <DataView title={t('task.payload')} value={task.payload} />}
          </Stack>
        </SimpleGrid>
        <LogPanel task={task} />
        <DataView title={t('task.executorSettings')} value={task.executor as unknown as Json} />
      </Stack>
    </>
  );
}

/** Why it is as it is, above all else. */
function Notes({ task }: { task: Task }) {
  const { t } = useTranslation();
  const wordFor = useWordFor();
  const { cancel } = task;
  return (
    <>
      {task.error !== undefined && task.state !== 'succeeded' && task.state !== 'cancelled' && <Alert color="red" variant="light" icon={<WarnIcon />} title={task.state === 'failed' ? t('task.errorTitle') : t('failure.error')} style={{ overflowWrap: 'anywhere' }}>{task.error}</Alert>}
      {task.skipped !== undefined && <Alert color="yellow" variant="light" icon={<StopIcon />} title={t('task.skippedTitle')}>{wordFor('skipReason', task.skipped)}</Alert>}
      {cancel !== undefined && (
        <Alert color="grape" variant="light" icon={<StopIcon />} title={isFinal(task) ? t('state.cancelled') : t('task.cancelling')}>
          {[cancel.reason, cancel.by && t('task.cancelBy', { by: cancel.by })].filter(Boolean).join(' · ')} <Ago at={cancel.at} />
        </Alert>
      )}
    </>
  );
}
