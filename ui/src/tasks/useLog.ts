import { useEffect, useState } from 'react';
import { at } from '../api/http';
import { refusalOf } from '../api/refusal';
import { follow, pauseBefore } from '../api/sse';
import { type AttemptLog, LogBuffer } from './logBuffer';

export type LogStatus = 'connecting' | 'live' | 'lost' | 'ended' | 'refused';
export interface ShownLog {
  status: LogStatus;
  attempts: AttemptLog[];
  thrown: unknown;
}

/** Bursts of events are drawn together. */
const DRAW_MS = 100;
const NOTHING: ShownLog = { status: 'connecting', attempts: [], thrown: undefined };

/** Follows a task's log to its end, over interruptions. */
export function useLog(ns: string, task: string): ShownLog {
  const [shown, setShown] = useState<ShownLog>(NOTHING);
  useEffect(() => {
    setShown(NOTHING);
    return followLog(ns, task, setShown);
  }, [ns, task]);
  return shown;
}

function followLog(ns: string, task: string, show: (log: ShownLog) => void): () => void {
  const book = new LogBuffer();
  const leaving = new AbortController();
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawing: ReturnType<typeof setTimeout> | undefined;
  let status: LogStatus = 'connecting';

  const draw = (thrown?: unknown) => {
    clearTimeout(drawing);
    drawing = undefined;
    show({ status, attempts: book.attempts(), thrown });
  };
  const connect = () => {
    follow(`${at(ns, 'tasks', task, 'logs')}?follow=true`, {
      signal: leaving.signal,
      lastEventId: book.lastId,
      opened: () => {
        tries = 0;
        status = 'live';
        draw();
      },
      onEvent: (event) => {
        book.take(event);
        drawing ??= setTimeout(draw, DRAW_MS);
      },
    }).then(() => over(), over);
  };
  const over = (thrown?: unknown) => {
    if (leaving.signal.aborted) {
      return;
    }
    const refused = thrown === undefined ? 0 : refusalOf(thrown).status;
    status = book.ended ? 'ended' : refused >= 400 && refused < 500 && refused !== 429 ? 'refused' : 'lost';
    draw(status === 'refused' ? thrown : undefined);
    if (status === 'lost') {
      timer = setTimeout(connect, pauseBefore(tries++, Math.random()));
    }
  };

  connect();
  return () => {
    leaving.abort();
    clearTimeout(timer);
    clearTimeout(drawing);
  };
}
