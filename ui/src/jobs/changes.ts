import type { Job } from '../api/shapes';
import { definitionOf } from './jobs';

/** The names of the fields in which two definitions differ. */
export function changedFields(newer: Job, older: Job): string[] {
  const a = definitionOf(newer) as Record<string, unknown>;
  const b = definitionOf(older) as Record<string, unknown>;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => canonical(a[name]) !== canonical(b[name])).sort();
}

/** The order of keys says nothing in JSON. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1)))
      : each,
  ) ?? '';
}
