import { useParams } from 'react-router';

/** The namespace of the page. */
export function useNs(): string {
  return useParams<'ns'>().ns ?? 'default';
}

export const NS_MEMORY = 'belfry.namespace';

/** Addresses of pages; parts are escaped, because ids of tasks contain colons and signs. */
export const to = {
  jobs: (ns: string) => `/ns/${encodeURIComponent(ns)}/jobs`,
  job: (ns: string, id: string) => `/ns/${encodeURIComponent(ns)}/jobs/${encodeURIComponent(id)}`,
  tasks: (ns: string, filter: Record<string, string> = {}) => {
    const search = new URLSearchParams(filter).toString();
    return `/ns/${encodeURIComponent(ns)}/tasks${search === '' ? '' : `?${search}`}`;
  },
  task: (ns: string, id: string) => `/ns/${encodeURIComponent(ns)}/tasks/${encodeURIComponent(id)}`,
  workers: (ns: string) => `/ns/${encodeURIComponent(ns)}/workers`,
  cluster: (ns: string) => `/ns/${encodeURIComponent(ns)}/cluster`,
};

export type Section = 'jobs' | 'tasks' | 'workers' | 'cluster';
