/**
 * The code of a one-time link (`/login#code=…`). It leaves the address bar, and with it the history, before anything is
 * drawn; it stands behind `#` because browsers do not send that part to anybody.
 */
let waiting: string | undefined;
let taker: ((code: string) => void) | undefined;

export function codeIn(hash: string): string | undefined {
  const match = /^#code=([^&]+)/.exec(hash);
  try {
    return match ? decodeURIComponent(match[1]!) : undefined;
  } catch {
    return undefined;
  }
}

function takeFromAddress(): void {
  const code = codeIn(window.location.hash);
  if (code === undefined) {
    return;
  }
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  if (taker) {
    taker(code);
  } else {
    waiting = code;
  }
}

/** To be called first of all, and once. */
export function guardLoginCode(): void {
  takeFromAddress();
  window.addEventListener('hashchange', takeFromAddress);
}

export function isLoginCodeWaiting(): boolean {
  return waiting !== undefined;
}

/** Hands over the code that waits, and any that comes later; each once. */
export function onLoginCode(take: (code: string) => void): () => void {
  taker = take;
  if (waiting !== undefined) {
    const code = waiting;
    waiting = undefined;
    take(code);
  }
  return () => {
    taker = undefined;
  };
}
