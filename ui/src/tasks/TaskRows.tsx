import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Task } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { Ago } from '../pieces/Ago';
import { Mono } from '../pieces/Panel';
import { Rows, rowStyles } from '../pieces/Rows';
import { StateBadge } from '../pieces/StateBadge';
import { Took } from './Took';

export function TaskRows({ tasks, loading, expected, framed = true }: { tasks: Task[]; loading: boolean; expected?: number; framed?: boolean }) {
  const { t } = useTranslation();
  const columns = (['task', 'state', 'scheduled', 'took', 'attempts', 'worker', 'priority', 'queue'] as const).map((key) => ({ key, head: t(`tasks.col.${key}`) }));
  return (
    <Rows label={t('tasks.title')} columns={columns} loading={loading} expected={expected} framed={framed}>
      {tasks.map((task) => <TaskRow key={task.id} task={task} />)}
    </Rows>
  );
}

function TaskRow({ task }: { task: Task }) {
  const { t } = useTranslation();
  const ns = useNs();
  return (
    <tr data-task={task.id}>
      <td className={rowStyles.main}>
        <div style={{ minWidth: 0 }}>
          <Anchor component={Link} to={to.task(ns, task.id)} fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>{task.name}</Anchor>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}><Mono>{task.id}</Mono></Text>
        </div>
      </td>
      <td data-label={t('tasks.col.state')}><span><StateBadge state={task.state} /></span></td>
      <td data-label={t('tasks.col.scheduled')}><span><Ago at={task.scheduled} /></span></td>
      <td data-label={t('tasks.col.took')}><Took task={task} /></td>
      <td data-label={t('tasks.col.attempts')}>{task.attempts}</td>
      <td data-label={t('tasks.col.worker')} style={{ overflowWrap: 'anywhere' }}>{task.worker ?? <Text span c="dimmed">{t('common.none')}</Text>}</td>
      <td data-label={t('tasks.col.priority')}>{t(`priority.${task.priority}`)}</td>
      <td data-label={t('tasks.col.queue')}>{task.queue}</td>
    </tr>
  );
}
