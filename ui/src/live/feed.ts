import { at } from '../api/http';
import { serverNow } from '../api/clock';
import { refusalOf } from '../api/refusal';
import { follow, pauseBefore, type SentEvent } from '../api/sse';
import type { LiveEvent } from './concerned';

export type LiveStatus = 'connecting' | 'on' | 'off';
export interface ReceivedEvent {
  /** Its own: a reset bears the id of the event before it. */
  id: string;
  at: number;
  event: LiveEvent;
}

const KEPT = 200;

/**
 * The events of one namespace: one connection, reconnected with growing pauses and resumed where it broke. Closed while the page
 * is hidden, because browsers allow a server six connections and people open many tabs.
 */
export class Feed {
  status: LiveStatus = 'connecting';
  received: readonly ReceivedEvent[] = [];
  private readonly listeners = new Set<() => void>();
  private last: string | undefined;
  private connection: AbortController | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  private wasOn = false;
  private count = 0;

  constructor(private readonly ns: string, private readonly react: (event: LiveEvent) => void) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  start(): () => void {
    const look = () => (document.hidden ? this.drop() : this.connect());
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      this.drop();
    };
  }

  clear(): void {
    this.received = [];
    this.changed();
  }

  private connect(): void {
    this.drop();
    const connection = new AbortController();
    this.connection = connection;
    follow(at(this.ns, 'events'), {
      signal: connection.signal,
      lastEventId: this.last,
      opened: () => {
        this.tries = 0;
        this.become('on');
        if (this.wasOn && this.last === undefined) {
          this.react({ type: 'reset' }); // no event id is known yet to resume after
        }
        this.wasOn = true;
      },
      onEvent: (event) => this.take(event),
    }).then(
      () => this.lost(connection),
      (thrown: unknown) => this.lost(connection, thrown),
    );
  }

  private lost(connection: AbortController, thrown?: unknown): void {
    if (connection !== this.connection || connection.signal.aborted) {
      return;
    }
    this.become('off');
    // A refusal of rights does not go away by retrying.
    if (thrown !== undefined && [401, 403, 404].includes(refusalOf(thrown).status)) {
      return;
    }
    this.retry = setTimeout(() => this.connect(), pauseBefore(this.tries++, Math.random()));
  }

  private drop(): void {
    clearTimeout(this.retry);
    this.connection?.abort();
    this.connection = undefined;
  }

  private take(sent: SentEvent): void {
    this.last = sent.id;
    const event = { ...(JSON.parse(sent.data) as LiveEvent), type: sent.type };
    this.received = [{ id: `${++this.count}`, at: serverNow(), event }, ...this.received].slice(0, KEPT);
    this.react(event);
    this.changed();
  }

  private become(status: LiveStatus): void {
    if (this.status !== status) {
      this.status = status;
      this.changed();
    }
  }

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }
}
