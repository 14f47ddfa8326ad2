// Rounds of no-op jobs on BullMQ: first all are added, then all are run. Prints one line of JSON a round.
// node bench.js PORT TASKS ROUNDS CONCURRENCY BATCH
import { Queue, Worker } from 'bullmq';

const [port, tasks, rounds, concurrency, batch] = process.argv.slice(2).map(Number);
const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
const name = 'bench';
const queue = new Queue(name, {
  connection,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
});
await queue.waitUntilReady();

let ran = 0;
let done = () => {};
const worker = new Worker(
  name,
  async () => {
    ran++;
  },
  { connection, concurrency, autorun: false, maxStalledCount: 0 },
);
worker.on('completed', () => {
  if (--left === 0) done();
});
await worker.waitUntilReady();
let left = 0;
let running;

for (let round = 1; round <= rounds; round++) {
  ran = 0;
  left = tasks;
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  for (let from = 0; from < tasks; from += batch) {
    const jobs = [];
    for (let i = from; i < Math.min(tasks, from + batch); i++) jobs.push({ name: 'noop', data: {} });
    await queue.addBulk(jobs);
  }
  const added = process.hrtime.bigint();
  const all = new Promise((resolve) => (done = resolve));
  if (running) worker.resume();
  else running = worker.run();
  await all;
  const end = process.hrtime.bigint();
  const used = process.cpuUsage(cpu);
  if (ran !== tasks) throw new Error(`${ran} of ${tasks} ran`);
  await worker.pause();
  console.log(
    JSON.stringify({
      perSecond: tasks / (Number(end - start) / 1e9),
      submitted: tasks / (Number(added - start) / 1e9),
      run: tasks / (Number(end - added) / 1e9),
      clientMicros: (used.user + used.system) / tasks,
    }),
  );
}
await worker.close();
await queue.close();
process.exit(0);
