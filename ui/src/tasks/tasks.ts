import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, at, query } from '../api/http';
import type { Page, Priority, State, Task, TaskRef } from '../api/shapes';
import { useRefresh } from '../live/Live';

export const FILTERS = ['state', 'job', 'queue', 'worker', 'since', 'until'] as const;
export type TaskFilters = Record<(typeof FILTERS)[number], string>;

const PAGE_SIZE = 50;
/** Orders to a task are carried out by the leader a moment later; asking sooner would show the old state again. */
const OBEYED_AFTER_MS = 1_500;

const listKey = (ns: string) => ['ns', ns, 'tasks'];
const taskKey = (ns: string, id: string) => ['ns', ns, 'task', id];

export const FINAL: readonly State[] = ['succeeded', 'failed', 'cancelled', 'skipped'];
export const isFinal = (task: Task) => FINAL.includes(task.state);
export const isWaiting = (task: Task) => task.state === 'pending' || task.state === 'retrying';

export function useTasks(ns: string, filters: TaskFilters, cursor: string | undefined, limit = PAGE_SIZE) {
  const refetchInterval = useRefresh(false);
  return useQuery({
    queryKey: [...listKey(ns), filters, cursor, limit],
    queryFn: ({ signal }) => ask<Page<Task>>(at(ns, 'tasks') + query({ ...filters, limit, cursor }), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

export function useTask(ns: string, id: string) {
  const refresh = useRefresh(5_000); // progress is no event
  return useQuery({
    queryKey: taskKey(ns, id),
    queryFn: ({ signal }) => ask<Task>(at(ns, 'tasks', id), { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isFinal(state.data) ? false : refresh),
  });
}

export function useCancel(ns: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => ask<TaskRef>(at(ns, 'tasks', id, 'cancel'), { method: 'POST', body: reason === '' ? {} : { reason } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: taskKey(ns, id) });
      setTimeout(() => void client.invalidateQueries({ queryKey: taskKey(ns, id) }), OBEYED_AFTER_MS);
    },
  });
}

export function useRetry(ns: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => ask<TaskRef>(at(ns, 'tasks', id, 'retry'), { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: listKey(ns) }),
  });
}

/** Shows the new priority at once, and takes it back if the server refuses. */
export function usePriority(ns: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (priority: Priority) => ask<TaskRef>(at(ns, 'tasks', id), { method: 'PATCH', body: { priority } }),
    onMutate: async (priority) => {
      await client.cancelQueries({ queryKey: taskKey(ns, id) });
      const before = client.getQueryData<Task>(taskKey(ns, id));
      client.setQueryData<Task>(taskKey(ns, id), (task) => task && { ...task, priority });
      return before;
    },
    onError: (_thrown, _priority, before) => client.setQueryData(taskKey(ns, id), before),
    onSettled: () => {
      setTimeout(() => void client.invalidateQueries({ queryKey: taskKey(ns, id) }), OBEYED_AFTER_MS);
    },
  });
}
