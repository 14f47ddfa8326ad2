import { useSearchParams } from 'react-router';
import { CURSOR, PAGE } from './usePaging';

/** Filters that stand in the address: a filtered list can be linked, and the way back leads to it. */
export function useFilters<K extends string>(names: readonly K[]) {
  const [search, setSearch] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<K, string>;
  const set = (changes: Partial<Record<K, string>>) => {
    // From the address itself: what was rendered last may be a change behind, and two quick changes must both count.
    const next = new URLSearchParams(window.location.search);
    // A cursor belongs to the filters it came from.
    next.delete(CURSOR);
    next.delete(PAGE);
    for (const [name, value] of Object.entries(changes) as [K, string | undefined][]) {
      if (value === undefined || value === '') {
        next.delete(name);
      } else {
        next.set(name, value);
      }
    }
    setSearch(next, { replace: true });
  };
  const clear = () => set(Object.fromEntries(names.map((name) => [name, ''])) as Partial<Record<K, string>>);
  return { values, set, clear };
}
