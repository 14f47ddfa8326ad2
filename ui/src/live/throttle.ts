import type { Concern } from './concerned';

/** A busy namespace has thousands of events a second; the server is asked again at most this often. */
const PAUSE_MS = 1_000;
/** The list of jobs costs the server more and shows less of what tasks do. */
const LONG_PAUSE_MS = 5_000;

/** Gathers what has become old and says it once per pause. Threading: one timer at a time for each of two speeds. */
export class Throttle {
  private readonly lots = new Map<number, { concerns: Map<string, Concern>; timer: ReturnType<typeof setTimeout> }>();

  constructor(private readonly tell: (concern: Concern) => void) {}

  mark(concern: Concern): void {
    const pause = concern[0] === 'jobs' || concern[0] === 'job' ? LONG_PAUSE_MS : PAUSE_MS;
    let lot = this.lots.get(pause);
    if (lot === undefined) {
      lot = { concerns: new Map(), timer: setTimeout(() => this.flush(pause), pause) };
      this.lots.set(pause, lot);
    }
    lot.concerns.set(concern.join('\n'), concern);
  }

  private flush(pause: number): void {
    const lot = this.lots.get(pause);
    this.lots.delete(pause);
    lot?.concerns.forEach((concern) => this.tell(concern));
  }

  stop(): void {
    this.lots.forEach((lot) => clearTimeout(lot.timer));
    this.lots.clear();
  }
}
