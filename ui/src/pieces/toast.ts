import type { ReactNode } from 'react';

/** Short messages in the corner: an action was done, or was refused where no form is open to show it. */
export interface Toast {
  id: number;
  title?: string;
  message: ReactNode;
  refused: boolean;
}

const LASTS_MS = 6_000;
const REFUSAL_LASTS_MS = 12_000;
const MOST = 4;

let count = 0;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

export function currentToasts(): readonly Toast[] {
  return toasts;
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function dismissToast(id: number): void {
  toasts = toasts.filter((each) => each.id !== id);
  listeners.forEach((listener) => listener());
}

function add(added: Omit<Toast, 'id'>, lasts: number): void {
  const id = ++count;
  toasts = [...toasts, { ...added, id }].slice(-MOST);
  listeners.forEach((listener) => listener());
  setTimeout(() => dismissToast(id), lasts);
}

export function toast(message: ReactNode): void {
  add({ message, refused: false }, LASTS_MS);
}

export function toastRefusal(title: string, message: ReactNode): void {
  add({ title, message, refused: true }, REFUSAL_LASTS_MS);
}
