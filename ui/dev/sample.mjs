/** What the stand-in shows: a small installation in which everything that the interface can show happens. */

const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const ahead = (seconds) => ago(-seconds);

function job(id, name, trigger, executor, more = {}) {
  return {
    id, name, trigger, executor, queue: 'default', priority: 'normal', enabled: true, overlap: 'skip',
    retry: { max: 3, delay: '10s', backoff: 2, cap: '5m', jitter: true }, timeout: '5m',
    generation: 1, created: ago(86_400 * 40), updated: ago(86_400 * 3), ...more,
  };
}

export function sampleJobs() {
  const jobs = [
    job('nightly-invoices', 'Nightly invoices', { cron: '0 30 2 * * *', zone: 'Asia/Shanghai', calendar: 'working-days', jitter: '30s' }, { type: 'http', method: 'POST', url: 'https://billing.local/run', body: { day: '${scheduled.date}', region: '${payload.region}' } }, { description: 'One invoice run per night, for every customer of the region.', payload: { region: 'eu' }, metadata: { team: 'billing', tier: 'gold' }, priority: 'high', next: ahead(5_400), last: ago(81_000), generation: 3 }),
    job('heartbeat-probe', 'Heartbeat probe', { every: '30s', from: 'start' }, { type: 'http', method: 'GET', url: 'https://status.local/ping' }, { metadata: { team: 'platform' }, next: ahead(12), last: ago(18) }),
    job('import-orders', 'Import orders', { cron: '*/5 * * * *', zone: 'UTC' }, { type: 'local', handler: 'import-orders' }, { metadata: { team: 'shop' }, queue: 'imports', next: ahead(140), last: ago(160) }),
    job('rebuild-search-index', 'Rebuild the search index', { after: 'import-orders', on: 'succeeded' }, { type: 'script', interpreter: 'bash', script: 'set -e\ncurl -fsS https://search.local/rebuild\necho done\n' }, { metadata: { team: 'shop' }, last: ago(130) }),
    job('monthly-report', '月度报表', { cron: '0 0 8 1 * ?', zone: 'Asia/Shanghai' }, { type: 'http', method: 'POST', url: 'https://reports.local/monthly' }, { metadata: { team: 'finance' }, enabled: false, last: ago(86_400 * 15), updated: ago(3_600) }),
    job('cleanup-temp', 'cleanup-temp', { every: '6h', from: 'end' }, { type: 'script', interpreter: 'python3', script: 'print("clean")' }, { priority: 'low', next: ahead(7_200), last: ago(14_000) }),
    job('year-end-close', 'Year-end close', { at: '2027-01-01T00:00:00Z' }, { type: 'http', method: 'POST', url: 'https://ledger.local/close' }, { priority: 'urgent', metadata: { team: 'finance' }, next: '2027-01-01T00:00:00Z' }),
    job('resend-webhook', 'Resend a webhook', 'none', { type: 'http', method: 'POST', url: 'https://hooks.local/resend' }, { last: ago(500_000) }),
    job('a-job-with-a-remarkably-long-identifier-that-somebody-generated-from-a-template-and-never-shortened', 'A job whose name is rather long, because somebody wanted to say everything in it', { cron: '0 0/15 8-18 ? * MON-FRI', zone: 'America/Argentina/Buenos_Aires' }, { type: 'local', handler: 'sync' }, { next: ahead(800), last: ago(100) }),
  ];
  for (let i = 1; i <= 60; i++) {
    const n = String(i).padStart(2, '0');
    jobs.push(job(`sync-shard-${n}`, `Sync shard ${n}`, { cron: `${i % 60} * * * *`, zone: 'UTC' }, { type: 'local', handler: 'sync' }, { metadata: { team: 'data', shard: n }, next: ahead(i * 50), last: ago(i * 7), queue: 'sync' }));
  }
  return jobs;
}

export function versionsOf(job) {
  if (job.generation < 2) {
    return [job];
  }
  const older = { ...job, generation: 2, updated: ago(86_400 * 9), timeout: '2m' };
  return [job, older, { ...older, generation: 1, updated: ago(86_400 * 40), payload: { region: 'us' }, priority: 'normal' }];
}

let tokens = 100;
function attempt(number, worker, began, lasted, outcome, more = {}) {
  const started = ago(began);
  return { number, token: String(++tokens), worker, assigned: ago(began + 0.2), started, ...(outcome ? { ended: new Date(Date.parse(started) + lasted * 1000).toISOString(), outcome } : {}), ...more };
}

function task(jobId, name, state, began, more = {}) {
  const scheduled = ago(began);
  return {
    id: jobId ? `${jobId}@${scheduled}` : more.id, name, ...(jobId ? { job: jobId } : {}), state, priority: 'normal', queue: 'default',
    executor: { type: 'http', method: 'POST', url: 'https://billing.local/run' }, scheduled, due: scheduled, created: scheduled,
    attempts: 0, retries: 0, history: [], timeout: '5m', retry: { max: 3, delay: '10s', backoff: 2, cap: '5m', jitter: true, on: ['error', 'timeout', 'lost'] }, atMostOnce: false, ...more,
  };
}

const ended = (attempts) => ({ history: attempts, attempts: attempts.length, retries: attempts.length - 1, started: attempts[0].started, ended: attempts.at(-1).ended, worker: attempts.at(-1).worker });

export function sampleTasks() {
  const running = attempt(1, 'worker-a-7f3c', 42, 0);
  const failed = [attempt(1, 'worker-a-7f3c', 900, 12.4, 'failed', { failure: 'error', result: { code: 503, message: 'Service Unavailable' } }), attempt(2, 'worker-b-91d0', 870, 300, 'failed', { failure: 'timeout' }), attempt(3, 'worker-a-7f3c', 540, 1.2, 'failed', { failure: 'error', result: { code: 500, message: 'Internal Server Error: cannot open ledger 2026-11' } })];
  const good = [attempt(1, 'worker-b-91d0', 160, 3.42, 'succeeded', { result: { code: 200, message: 'OK' } })];
  const lost = attempt(1, 'worker-c-004e', 120, 30, 'failed', { failure: 'lost' });
  const cancelled = [attempt(1, 'worker-a-7f3c', 3_000, 44, 'cancelled')];
  const tasks = [
    task('nightly-invoices', 'Nightly invoices', 'running', 42.3, { history: [running], attempts: 1, started: running.started, worker: 'worker-a-7f3c', priority: 'high', payload: { region: 'eu', customers: ['acme', 'globex'], dryRun: false }, progress: { fraction: 0.37, message: '370 of 1,000 invoices', at: ago(2) }, metadata: { team: 'billing' }, idempotencyKey: 'nightly-invoices@2026-11-16' }),
    task('import-orders', 'Import orders', 'assigned', 3, { attempts: 1, history: [{ number: 1, token: '99', worker: 'worker-b-91d0', assigned: ago(1) }], worker: 'worker-b-91d0', queue: 'imports' }),
    task('rebuild-search-index', 'Rebuild the search index', 'retrying', 121, { attempts: 1, history: [lost], started: lost.started, due: ahead(25), error: 'The worker worker-c-004e went silent; its lease has ended.' }),
    task('', 'Send a letter', 'pending', -600, { id: 'letter-20261116-0001', priority: 'low', payload: { to: 'ops@example.org', subject: 'Hello <b>world</b>' }, executor: { type: 'local', handler: 'send-letter' }, workers: { region: 'eu' } }),
    task('import-orders', 'Import orders', 'succeeded', 160.4, { ...ended(good), queue: 'imports', result: { code: 200, message: 'OK', data: { imported: 4_812, skipped: 3, notes: '<script>alert(1)</script>' } } }),
    task('monthly-report', '月度报表', 'failed', 900.5, { ...ended(failed), error: '3 attempts failed, the last with 500: Internal Server Error: cannot open ledger 2026-11', result: { code: 500, message: 'Internal Server Error: cannot open ledger 2026-11' } }),
    task('cleanup-temp', 'cleanup-temp', 'cancelled', 3_001, { ...ended(cancelled), cancel: { reason: 'wrong directory', by: 'anna', at: ago(2_956) } }),
    task('heartbeat-probe', 'Heartbeat probe', 'skipped', 48, { skipped: 'overlap', ended: ago(48) }),
  ];
  for (let i = 1; i <= 130; i++) {
    const one = [attempt(1, i % 2 ? 'worker-a-7f3c' : 'worker-b-91d0', 200 + i * 30, (i % 17) / 3 + 0.08, 'succeeded', { result: { code: 200 } })];
    tasks.push(task('heartbeat-probe', 'Heartbeat probe', 'succeeded', 200.1 + i * 30, { ...ended(one), result: { code: 200, message: 'OK' } }));
  }
  return tasks;
}

export function sampleWorkers() {
  const worker = (id, name, status, running, capacity, cpu, memory, more = {}) => ({ id, name, address: '10.0.0.11:8080', status, labels: { region: 'eu', zone: 'a' }, queues: ['default', 'imports'], weight: 100, capacity, running, since: ago(86_000), heartbeat: ago(1), load: { cpu, memory, network: 0.1, connections: 14 }, ...more });
  return [
    worker('worker-a-7f3c', 'worker-a', 'busy', 6, 16, 0.41, 0.63),
    worker('worker-b-91d0', 'worker-b', 'full', 8, 8, 0.97, 0.78, { labels: { region: 'eu', zone: 'b', gpu: 'true', rack: 'r17', os: 'linux' }, address: '10.0.0.12:8080' }),
    worker('worker-c-004e', 'worker-c', 'unhealthy', 1, 16, 0.08, 0.22, { heartbeat: ago(95), address: '10.0.0.13:8080' }),
    worker('worker-d-5a21', 'worker-d', 'idle', 0, 32, 0.02, 0.18, { queues: [], labels: {}, address: '10.0.0.14:8080' }),
  ];
}

export function sampleCluster() {
  const node = (id, roles, address, leads, more = {}) => ({ id, roles, address, version: '0.1.0', since: ago(86_400 * 2), heartbeat: ago(1), leads, ...more });
  return {
    leader: 'node-1-c81e', since: ago(7_300), term: 14, elections: 13, paused: false,
    nodes: [node('node-1-c81e', ['scheduler', 'worker'], '10.0.0.1:8080', true), node('node-2-0b7d', ['scheduler', 'worker'], '10.0.0.2:8080', false), node('node-3-f4aa', ['worker'], '10.0.0.3:8080', false, { since: ago(4_000) })],
    engine: { kind: 'etcd', version: '3.4.23', durability: 'a majority of 3 members has it on disk' },
  };
}
