import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNs } from '../frame/ns';
import { PageHead } from '../frame/PageHead';
import { EmptyNote } from '../pieces/EmptyNote';
import { Pager } from '../pieces/Pager';
import { ProblemNote } from '../pieces/ProblemNote';
import { useFilters } from '../pieces/useFilters';
import { usePaging } from '../pieces/usePaging';
import { TaskFilterBar } from './TaskFilterBar';
import { TaskRows } from './TaskRows';
import { FILTERS, useTasks } from './tasks';

export default function TasksPage() {
  const { t } = useTranslation();
  const ns = useNs();
  const filters = useFilters(FILTERS);
  const paging = usePaging();
  const tasks = useTasks(ns, filters.values, paging.cursor);
  const isFiltered = FILTERS.some((name) => filters.values[name] !== '');
  const isEmpty = tasks.data?.items.length === 0 && tasks.data.next === undefined;
  return (
    <>
      <PageHead title={t('tasks.title')} name={t('tasks.title')} />
      <TaskFilterBar filters={filters} isFiltered={isFiltered} />
      {tasks.error && <ProblemNote thrown={tasks.error} again={() => void tasks.refetch()} />}
      {isEmpty && isFiltered && (
        <EmptyNote title={t('tasks.noMatchTitle')} text={t('tasks.noMatchText')}>
          <Button variant="default" mt="sm" onClick={filters.clear}>{t('common.clearFilters')}</Button>
        </EmptyNote>
      )}
      {isEmpty && !isFiltered && <EmptyNote title={t('tasks.emptyTitle')} text={t('tasks.emptyText')} command={t('tasks.emptyCommand')} />}
      {!isEmpty && (tasks.data || tasks.isPending) && <TaskRows tasks={tasks.data?.items ?? []} loading={tasks.isPending} />}
      <Pager paging={paging} next={tasks.data?.next} />
    </>
  );
}
