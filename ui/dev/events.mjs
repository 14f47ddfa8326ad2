/** The stand-in's events: a feed that can be resumed, and a simulation that keeps events coming. */

const HEAD = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };

export function newFeed() {
  const events = [];
  const readers = new Set();
  return {
    publish(type, data) {
      const event = `id: feed-${events.length + 1}\nevent: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
      events.push(event);
      readers.forEach((reader) => reader.write(event));
    },
    since: (id) => events.slice(Number(/^feed-(\d+)$/.exec(id)?.[1] ?? events.length)),
    readers,
    dropAll() {
      readers.forEach((reader) => reader.end());
      readers.clear();
    },
  };
}

export function listen(feed, request, response) {
  response.writeHead(200, HEAD);
  response.write(': here\n\n');
  feed.since(request.headers['last-event-id']).forEach((event) => response.write(event));
  feed.readers.add(response);
  response.on('close', () => feed.readers.delete(response));
}

/** Lets the running task make progress and a probe come and go, so that there is something to see. */
export function playTasks(installation) {
  let round = 0;
  const timer = setInterval(() => {
    round++;
    for (const task of installation.tasks.filter((each) => each.progress && each.state === 'running')) {
      const fraction = Math.min(0.99, task.progress.fraction + 0.01);
      task.progress = { fraction, message: `${Math.round(fraction * 1000)} of 1,000 invoices`, at: new Date().toISOString() };
    }
    if (round % 3 === 0) {
      const id = `heartbeat-probe@${new Date().toISOString()}`;
      const data = { task: id, name: 'Heartbeat probe', job: 'heartbeat-probe', worker: 'worker-a-7f3c', attempts: 1 };
      const now = new Date().toISOString();
      installation.tasks.push({ id, name: data.name, job: data.job, state: 'succeeded', priority: 'normal', queue: 'default', executor: { type: 'http' }, scheduled: now, due: now, created: now, started: now, ended: now, worker: data.worker, attempts: 1, retries: 0, history: [] });
      ['taskSubmitted', 'taskScheduled', 'taskStarted', 'taskCompleted'].forEach((type) => installation.feed.publish(type, { ...data, state: 'succeeded' }));
    }
    if (round === 4) {
      installation.feed.publish('workerJoined', { worker: 'worker-d-5a21' });
      installation.feed.publish('firesSkipped', { job: 'heartbeat-probe', count: 2, reason: 'overlap' });
      installation.feed.publish('leaderChanged', { leader: 'node-1-c81e', term: 14 });
    }
  }, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}
