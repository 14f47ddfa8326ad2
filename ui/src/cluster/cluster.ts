import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, at } from '../api/http';
import type { Cluster, Strategy } from '../api/shapes';
import { useRefresh } from '../live/Live';

const key = (ns: string) => ['ns', ns, 'cluster'];
const strategyKey = (ns: string) => ['ns', ns, 'strategy'];

export function useCluster(ns: string) {
  const refetchInterval = useRefresh(10_000); // heartbeats and pauses are no events
  return useQuery({ queryKey: key(ns), queryFn: ({ signal }) => ask<Cluster>(at(ns, 'cluster'), { signal }), refetchInterval });
}

export function useStrategy(ns: string) {
  const refetchInterval = useRefresh(30_000);
  return useQuery({ queryKey: strategyKey(ns), queryFn: ({ signal }) => ask<Strategy>(at(ns, 'cluster', 'strategy'), { signal }), refetchInterval });
}

export function useChooseStrategy(ns: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (strategy: string) => ask<Strategy>(at(ns, 'cluster', 'strategy'), { method: 'PUT', body: { strategy } }),
    onSuccess: (chosen) => client.setQueryData(strategyKey(ns), chosen),
  });
}

export function useResetStrategy(ns: string) {
  return useMutation({ mutationFn: () => ask<void>(at(ns, 'cluster', 'strategy', 'reset'), { method: 'POST' }) });
}

export function usePause(ns: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => ask<void>(at(ns, 'cluster', 'pause'), { method: 'POST', body: { reason } }),
    onSuccess: () => client.invalidateQueries({ queryKey: key(ns) }),
  });
}

export function useResume(ns: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => ask<void>(at(ns, 'cluster', 'resume'), { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: key(ns) }),
  });
}
