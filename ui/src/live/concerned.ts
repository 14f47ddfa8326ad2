/** Which cached queries an event makes stale. */

export interface LiveEvent {
  type: string;
  task?: string;
  name?: string;
  state?: string;
  job?: string;
  worker?: string;
  leader?: string;
  term?: number;
  count?: number;
  reason?: string;
  queue?: string;
  labels?: Record<string, string>;
}

export type Concern = readonly string[];

export function concerned(event: LiveEvent): Concern[] {
  if (event.type === 'reset') {
    return [[]]; // events were missed: anything may have changed
  }
  if (event.type.startsWith('task') || event.type === 'reportRejected') {
    return [
      ['tasks'],
      ['workers'],
      ['jobs'],
      ...(event.task === undefined ? [] : [['task', event.task]]),
      ...(event.job === undefined ? [] : [['job', event.job]]),
    ];
  }
  if (event.type === 'firesSkipped') {
    return [['tasks'], ['jobs'], ...(event.job === undefined ? [] : [['job', event.job]])];
  }
  if (event.type.startsWith('worker')) {
    return [['workers'], ['cluster']];
  }
  return event.type === 'leaderChanged' ? [['cluster'], ['workers']] : [];
}
