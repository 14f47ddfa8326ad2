import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, askAll, at } from '../api/http';
import type { Worker } from '../api/shapes';
import { useRefresh } from '../live/Live';

interface WorkerList {
  items: Worker[];
}

const key = (ns: string) => ['ns', ns, 'workers'];

/** The worker obeys at its next heartbeat; asking sooner would show the old state again. */
const OBEYS_AFTER_MS = 2_500;

export function useWorkers(ns: string) {
  const refetchInterval = useRefresh(5_000); // loads and heartbeats are no events
  return useQuery({ queryKey: key(ns), queryFn: ({ signal }) => askAll<Worker>(at(ns, 'workers'), { signal }), refetchInterval });
}

/** Changes one worker on the screen at once, takes it back if the server refuses, and looks again when it was obeyed. */
function useOrder<T>(ns: string, send: (worker: Worker, order: T) => Promise<void>, foresee: (worker: Worker, order: T) => Worker) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ worker, order }: { worker: Worker; order: T }) => send(worker, order),
    onMutate: async ({ worker, order }) => {
      await client.cancelQueries({ queryKey: key(ns) });
      const before = client.getQueryData<WorkerList>(key(ns));
      client.setQueryData<WorkerList>(key(ns), (old) => old && { ...old, items: old.items.map((each) => (each.id === worker.id ? foresee(each, order) : each)) });
      return before;
    },
    onError: (_thrown, _order, before) => client.setQueryData(key(ns), before),
    onSettled: () => {
      setTimeout(() => void client.invalidateQueries({ queryKey: key(ns) }), OBEYS_AFTER_MS);
    },
  });
}

export function useDrain(ns: string) {
  return useOrder<{ undo: boolean }>(
    ns,
    (worker, order) => ask<void>(at(ns, 'workers', worker.id, 'drain'), { method: 'POST', body: order }),
    (worker, { undo }) => ({ ...worker, status: undo ? (worker.running === 0 ? 'idle' : 'busy') : 'draining' }),
  );
}

export function useCapacity(ns: string) {
  return useOrder<{ capacity: number }>(
    ns,
    (worker, order) => ask<void>(at(ns, 'workers', worker.id, 'capacity'), { method: 'PUT', body: order }),
    (worker, { capacity }) => ({ ...worker, capacity }),
  );
}
