import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventReader, pauseBefore } from '../src/api/sse';
import { concerned } from '../src/live/concerned';
import { Throttle } from '../src/live/throttle';

describe('events', () => {
  const stream = ': here\n\nid: f-1\nevent: taskFailed\ndata: {"task":"a"}\n\nid: f-2\nevent: log\ndata: one\ndata: two\n\n: still here\n\n';
  const wanted = [{ id: 'f-1', type: 'taskFailed', data: '{"task":"a"}' }, { id: 'f-2', type: 'log', data: 'one\ntwo' }];

  test('are read in one piece', () => expect(new EventReader().push(stream)).toEqual(wanted));

  test('are read in pieces of every size', () => {
    for (let size = 1; size < stream.length; size++) {
      const reader = new EventReader();
      const read = [];
      for (let i = 0; i < stream.length; i += size) {
        read.push(...reader.push(stream.slice(i, i + size)));
      }
      expect(read, `pieces of ${size}`).toEqual(wanted);
    }
  });

  test('may end their lines as they like', () => {
    const reader = new EventReader();
    expect([...reader.push('data: x\r'), ...reader.push('\n\r\n')]).toEqual([{ id: '', type: 'message', data: 'x' }]);
  });
});

describe('reconnecting', () => {
  test('waits longer each time, up to half a minute, never nothing', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((tries) => pauseBefore(tries, 1))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(pauseBefore(0, 0)).toBe(500);
  });
});

describe('an event', () => {
  test('of a task concerns it, the lists and the workers', () => {
    expect(concerned({ type: 'taskCompleted', task: 'a@1', job: 'a' })).toEqual([['tasks'], ['workers'], ['jobs'], ['task', 'a@1'], ['job', 'a']]);
  });
  test('of a worker concerns workers and cluster', () => expect(concerned({ type: 'workerLeft', worker: 'w' })).toEqual([['workers'], ['cluster']]));
  test('of the leader concerns the cluster', () => expect(concerned({ type: 'leaderChanged' })).toContainEqual(['cluster']));
  test('that says that some were missed concerns everything', () => expect(concerned({ type: 'reset' })).toEqual([[]]));
  test('that is not known concerns nothing', () => expect(concerned({ type: 'moonRose' })).toEqual([]));
});

describe('a thousand events', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ask once for each thing, and less often for jobs', () => {
    const told: string[] = [];
    const throttle = new Throttle((concern) => told.push(concern.join('/')));
    for (let i = 0; i < 1_000; i++) {
      throttle.mark(['tasks']);
      throttle.mark(['jobs']);
    }
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual(['tasks']);
    vi.advanceTimersByTime(4_000);
    expect(told).toEqual(['tasks', 'jobs']);
  });

  test('ask nothing any more when it is stopped', () => {
    const told: unknown[] = [];
    const throttle = new Throttle((concern) => told.push(concern));
    throttle.mark(['tasks']);
    throttle.stop();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([]);
  });
});
