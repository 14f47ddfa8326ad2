import type { Concern } from './concerned';

/** A busy namespace has thousands of events a second; the server is asked again at most this often. */
const PAUSE_MS = 1_000;
/** The list of jobs costs the server more and shows less of what tasks do. */
const LONG_PAUSE_MS = 5_000;

/** Collects stale queries and reports each once per interval. Threading: one timer at a time for each of two speeds. */
export class Throttle {
  private readonly batches = new Map<number, { concerns: Map<string, Concern>; timer: ReturnType<typeof setTimeout> }>();

  constructor(private readonly report: (concern: Concern) => void) {}

  mark(concern: Concern): void {
    const pause = concern[0] === 'jobs' || concern[0] === 'job' ? LONG_PAUSE_MS : PAUSE_MS;
    let batch = this.batches.get(pause);
    if (batch === undefined) {
      batch = { concerns: new Map(), timer: setTimeout(() => this.flush(pause), pause) };
      this.batches.set(pause, batch);
    }
    batch.concerns.set(concern.join('\n'), concern);
  }

  private flush(pause: number): void {
    const batch = this.batches.get(pause);
    this.batches.delete(pause);
    batch?.concerns.forEach((concern) => this.report(concern));
  }

  stop(): void {
    this.batches.forEach((batch) => clearTimeout(batch.timer));
    this.batches.clear();
  }
}
