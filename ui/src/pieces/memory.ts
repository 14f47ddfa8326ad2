/** What the browser remembers between visits. Where storage is forbidden, nothing is remembered and nothing breaks. */
export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A private window may refuse; the choice then lasts as long as the page.
  }
}
