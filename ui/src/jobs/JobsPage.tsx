import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../api/shapes';
import { useNs } from '../frame/ns';
import { PageHead } from '../frame/PageHead';
import { EmptyNote } from '../pieces/EmptyNote';
import { Pager } from '../pieces/Pager';
import { ProblemNote } from '../pieces/ProblemNote';
import { useFilters } from '../pieces/useFilters';
import { usePaging } from '../pieces/usePaging';
import { BulkBar } from './BulkBar';
import { JobFilterBar } from './JobFilterBar';
import { JobRows } from './JobRows';
import { FILTERS, useJobs } from './jobs';

// The payload editor is loaded on demand.
const TriggerDialog = lazy(() => import('./TriggerDialog'));

export default function JobsPage() {
  const { t } = useTranslation();
  const ns = useNs();
  const filters = useFilters(FILTERS);
  const paging = usePaging();
  const jobs = useJobs(ns, filters.values, paging.cursor);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [triggering, setTriggering] = useState<Job | undefined>(undefined);
  const items = jobs.data?.items ?? [];
  // Bulk actions apply to visible jobs only, so that users never disable jobs that they do not see.
  const visible = new Set(items.map((job) => job.id).filter((id) => chosen.has(id)));
  const isFiltered = filters.values.q !== '' || filters.values.enabled !== '' || filters.values.label !== '';
  const isEmpty = jobs.data !== undefined && items.length === 0 && jobs.data.next === undefined;

  return (
    <>
      <PageHead title={t('jobs.title')} name={t('jobs.title')} />
      <JobFilterBar filters={filters} isFiltered={isFiltered} />
      <BulkBar ids={[...visible]} onDone={() => setChosen(new Set())} />
      {jobs.error && <ProblemNote thrown={jobs.error} again={() => void jobs.refetch()} />}
      {isEmpty && isFiltered && (
        <EmptyNote title={t('jobs.noMatchTitle')} text={t('jobs.noMatchText')}>
          <Button variant="default" mt="sm" onClick={filters.clear}>{t('common.clearFilters')}</Button>
        </EmptyNote>
      )}
      {isEmpty && !isFiltered && <EmptyNote title={t('jobs.emptyTitle')} text={t('jobs.emptyText')} command={t('jobs.emptyCommand', { namespace: ns })} />}
      {!isEmpty && (jobs.data || jobs.isPending) && (
        <JobRows jobs={items} loading={jobs.isPending} chosen={visible} onChoose={setChosen} onTrigger={setTriggering} />
      )}
      <Pager paging={paging} next={jobs.data?.next} />
      {triggering && <Suspense><TriggerDialog job={triggering} onClose={() => setTriggering(undefined)} /></Suspense>}
    </>
  );
}
