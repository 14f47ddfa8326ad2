import type { SentEvent } from '../api/sse';
import { AnsiFilter } from './ansi';

/** The log of one attempt as it is shown: pieces of some size, so that a new line does not redraw a megabyte. */
export interface AttemptLog {
  readonly number: number;
  readonly pieces: readonly string[];
}

const PIECE = 16_384;

/** Gathers a task's log from the events of its stream. */
export class LogBuffer {
  private readonly logs = new Map<number, { pieces: string[]; filter: AnsiFilter }>();
  /** Where to go on after an interruption. */
  lastId: string | undefined;
  ended = false;

  take(event: SentEvent): void {
    if (event.type === 'end') {
      this.ended = true;
      this.logs.forEach((log) => append(log.pieces, log.filter.end()));
      return;
    }
    if (event.type !== 'log' && event.type !== 'anew') {
      return;
    }
    const { attempt, text } = JSON.parse(event.data) as { attempt: number; text: string };
    let log = this.logs.get(attempt);
    // "anew": the middle of a long log was cut out, and this takes the place of all that came before.
    if (log === undefined || event.type === 'anew') {
      log = { pieces: [], filter: new AnsiFilter() };
      this.logs.set(attempt, log);
    }
    append(log.pieces, log.filter.push(text));
    this.lastId = event.id;
  }

  attempts(): AttemptLog[] {
    return [...this.logs.entries()].sort(([a], [b]) => a - b).map(([number, log]) => ({ number, pieces: [...log.pieces] }));
  }
}

function append(pieces: string[], text: string): void {
  const last = pieces.at(-1);
  if (text === '') {
    return;
  }
  if (last !== undefined && last.length < PIECE) {
    pieces[pieces.length - 1] = last + text;
  } else {
    pieces.push(text);
  }
}
