import { useLocation, useNavigate, useSearchParams } from 'react-router';

/**
 * Where in a listing one is. The cursor stands in the address, so that a page can be linked and reloaded; the way back
 * stands in the history entry, because cursors only lead forward.
 */
export interface Paging {
  cursor: string | undefined;
  page: number;
  first: () => void;
  previous: (() => void) | undefined;
  forward: (next: string) => void;
}

export const CURSOR = 'cursor';
export const PAGE = 'page';

export function usePaging(): Paging {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const cursor = search.get(CURSOR) ?? undefined;
  const page = cursor === undefined ? 1 : Math.max(2, Number(search.get(PAGE) ?? 2) || 2);
  const trail = trailOf(state);

  const go = (to: string | undefined, number: number, left: string[]) => {
    const next = new URLSearchParams(window.location.search);
    next.delete(CURSOR);
    next.delete(PAGE);
    if (to !== undefined && to !== '') {
      next.set(CURSOR, to);
      next.set(PAGE, String(number));
    }
    void navigate({ search: next.toString() }, { state: { trail: left } });
  };

  const before = trail.at(-1);
  return {
    cursor,
    page,
    first: () => go(undefined, 1, []),
    previous: page > 1 && before !== undefined ? () => go(before, page - 1, trail.slice(0, -1)) : undefined,
    forward: (next) => go(next, page + 1, [...trail, cursor ?? '']),
  };
}

function trailOf(state: unknown): string[] {
  const trail = typeof state === 'object' && state !== null ? (state as { trail?: unknown }).trail : undefined;
  return Array.isArray(trail) && trail.every((each) => typeof each === 'string') ? trail : [];
}
