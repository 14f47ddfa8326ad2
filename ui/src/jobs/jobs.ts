import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, askAll, at, query } from '../api/http';
import type { BulkOutcome, Explanation, Job, JobPreview, Json, Page, TaskRef } from '../api/shapes';
import { useRefresh } from '../live/Live';

export const FILTERS = ['q', 'enabled', 'label', 'sort'] as const;
export type JobFilters = Record<(typeof FILTERS)[number], string>;
export type BulkAction = 'enable' | 'disable' | 'trigger';

const PAGE_SIZE = 50;
const FIRES = 10;

const listKey = (ns: string) => ['ns', ns, 'jobs'];
const jobKey = (ns: string, id: string) => ['ns', ns, 'job', id];

export function useJobs(ns: string, filters: JobFilters, cursor: string | undefined) {
  const refetchInterval = useRefresh(15_000); // definitions changed by others are no events
  return useQuery({
    queryKey: [...listKey(ns), filters, cursor],
    queryFn: ({ signal }) => ask<Page<Job>>(at(ns, 'jobs') + query({ ...filters, limit: PAGE_SIZE, cursor }), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

export function useJob(ns: string, id: string) {
  const refetchInterval = useRefresh(15_000);
  return useQuery({ queryKey: jobKey(ns, id), queryFn: ({ signal }) => ask<Job>(at(ns, 'jobs', id), { signal }), refetchInterval });
}

/** A job without what the server adds to it: what somebody would hand in. */
export function definitionOf(job: Job): Json {
  const { generation: _g, created: _c, updated: _u, next: _n, last: _l, ...definition } = job;
  return definition as unknown as Json;
}

export function useFires(ns: string, job: Job) {
  return useQuery({
    queryKey: [...jobKey(ns, job.id), 'fires', job.generation],
    queryFn: ({ signal }) => ask<JobPreview>(at(ns, 'jobs', 'preview') + query({ count: FIRES }), { method: 'POST', body: definitionOf(job), signal }),
  });
}

export function useVersions(ns: string, id: string) {
  return useQuery({
    queryKey: [...jobKey(ns, id), 'versions'],
    queryFn: ({ signal }) => askAll<Job>(at(ns, 'jobs', id, 'versions'), { signal }),
  });
}

export function useExplain(ns: string, id: string) {
  return useMutation({ mutationFn: (instant: string | undefined) => ask<Explanation>(at(ns, 'jobs', id, 'explain') + query({ at: instant })) });
}

export interface Asked {
  payload?: Json;
  at?: string;
}

export function useTrigger(ns: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Asked) => ask<TaskRef>(at(ns, 'jobs', id, 'trigger'), { method: 'POST', body: asked }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['ns', ns, 'tasks'] }),
  });
}

/** Enables or disables on the screen at once, and takes it back if the server refuses. */
export function useSwitch(ns: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ job, enabled }: { job: Job; enabled: boolean }) => ask<Job>(at(ns, 'jobs', job.id, enabled ? 'enable' : 'disable'), { method: 'POST' }),
    onMutate: async ({ job, enabled }) => {
      await client.cancelQueries({ queryKey: listKey(ns) });
      await client.cancelQueries({ queryKey: jobKey(ns, job.id), exact: true });
      const lists = client.getQueriesData<Page<Job>>({ queryKey: listKey(ns) });
      const one = client.getQueryData<Job>(jobKey(ns, job.id));
      const flip = (each: Job) => (each.id === job.id ? { ...each, enabled } : each);
      client.setQueriesData<Page<Job>>({ queryKey: listKey(ns) }, (page) => page && { ...page, items: page.items.map(flip) });
      client.setQueryData<Job>(jobKey(ns, job.id), (old) => old && flip(old));
      return { lists, one };
    },
    onError: (_thrown, { job }, before) => {
      before?.lists.forEach(([key, page]) => client.setQueryData(key, page));
      client.setQueryData(jobKey(ns, job.id), before?.one);
    },
    onSettled: (_job, _thrown, { job }) => {
      void client.invalidateQueries({ queryKey: listKey(ns) });
      void client.invalidateQueries({ queryKey: jobKey(ns, job.id) });
    },
  });
}

export function useBulk(ns: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ids }: { action: BulkAction; ids: string[] }) => ask<BulkOutcome>(at(ns, 'jobs'), { method: 'POST', body: { action, ids } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['ns', ns] }),
  });
}
