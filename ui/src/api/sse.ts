import { open } from './http';

export interface SentEvent {
  id: string;
  type: string;
  data: string;
}

/**
 * Reads server-sent events out of text that arrives in pieces of any size.
 *
 * The browser's own EventSource hides the status of a refusal and cannot be told where to resume, so streams are read
 * by fetch and taken apart here.
 */
export class EventReader {
  private rest = '';
  private id = '';
  private type = '';
  private data: string[] = [];

  push(piece: string): SentEvent[] {
    const lines = (this.rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.map((line) => this.line(line)).filter((event) => event !== undefined);
  }

  private line(line: string): SentEvent | undefined {
    if (line === '') {
      return this.finish();
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') {
      this.id = value;
    } else if (name === 'event') {
      this.type = value;
    } else if (name === 'data') {
      this.data.push(value);
    }
    return undefined;
  }

  private finish(): SentEvent | undefined {
    const event = { id: this.id, type: this.type || 'message', data: this.data.join('\n') };
    const isEmpty = this.data.length === 0;
    this.type = '';
    this.data = [];
    return isEmpty ? undefined : event;
  }
}

export interface Following {
  signal: AbortSignal;
  lastEventId?: string | undefined;
  opened?: () => void;
  onEvent: (event: SentEvent) => void;
}

/** The server sends at least a comment every 15 s; a silence of three times that is a dead connection. */
const SILENCE_MS = 45_000;

/** Follows one stream until it ends, which the returned promise says, or breaks, which it throws. */
export async function follow(path: string, following: Following): Promise<void> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (following.lastEventId) {
    headers['Last-Event-ID'] = following.lastEventId;
  }
  const quiet = new AbortController();
  const signal = AbortSignal.any([following.signal, quiet.signal]);
  const answer = await open(path, { headers, signal });
  following.opened?.();
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  let watchdog = setTimeout(() => quiet.abort(), SILENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      clearTimeout(watchdog);
      watchdog = setTimeout(() => quiet.abort(), SILENCE_MS);
      events.push(value).forEach(following.onEvent);
    }
  } finally {
    clearTimeout(watchdog);
  }
}

/** How long to wait before the next try, longer each time; chance keeps many browsers from coming back at once. */
export function pauseBefore(tries: number, chance: number): number {
  const ceiling = Math.min(30_000, 1_000 * 2 ** Math.min(tries, 5));
  return ceiling / 2 + (ceiling / 2) * chance;
}
