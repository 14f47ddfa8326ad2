import type { ReactNode } from 'react';

/** Short words in the corner: something was done, or was refused where no form is open to say so. */
export interface Saying {
  id: number;
  title?: string;
  message: ReactNode;
  refused: boolean;
}

const LASTS_MS = 6_000;
const REFUSAL_LASTS_MS = 12_000;
const MOST = 4;

let count = 0;
let sayings: readonly Saying[] = [];
const listeners = new Set<() => void>();

export function currentSayings(): readonly Saying[] {
  return sayings;
}

export function onSayings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function unsay(id: number): void {
  sayings = sayings.filter((each) => each.id !== id);
  listeners.forEach((listener) => listener());
}

function add(saying: Omit<Saying, 'id'>, lasts: number): void {
  const id = ++count;
  sayings = [...sayings, { ...saying, id }].slice(-MOST);
  listeners.forEach((listener) => listener());
  setTimeout(() => unsay(id), lasts);
}

export function say(message: ReactNode): void {
  add({ message, refused: false }, LASTS_MS);
}

export function sayRefused(title: string, message: ReactNode): void {
  add({ title, message, refused: true }, REFUSAL_LASTS_MS);
}
