/** The API of the stand-in: as openapi.yaml describes it, as far as the interface uses it. */
import { randomUUID } from 'node:crypto';
import { listen, newFeed, playTasks } from './events.mjs';
import { followLog, logOf } from './logs.mjs';
import { sampleCluster, sampleJobs, sampleTasks, sampleWorkers, versionsOf } from './sample.mjs';

const ROLES = ['viewer', 'operator', 'developer', 'admin'];

export function newInstallation({ insecure = false, empty = false } = {}) {
  const installation = {
    insecure,
    jobs: empty ? [] : sampleJobs(),
    tasks: empty ? [] : sampleTasks(),
    workers: empty ? [] : sampleWorkers(),
    cluster: sampleCluster(),
    strategy: { strategy: 'least-tasks', known: ['adaptive', 'consistent-hash', 'least-connections', 'least-load', 'least-tasks', 'random', 'round-robin', 'weighted-round-robin'] },
    sessions: new Map(),
    codes: new Map(),
    feed: newFeed(),
    newCode(role) {
      const code = randomUUID();
      this.codes.set(code, role);
      return code;
    },
    endSessions() {
      this.sessions.clear();
      this.feed.dropAll();
    },
  };
  const stopPlaying = empty ? () => {} : playTasks(installation);
  installation.stop = () => {
    stopPlaying();
    installation.feed.dropAll();
  };
  return installation;
}

class Refused extends Error {
  constructor(status, code, message, field, details) {
    super(message);
    Object.assign(this, { status, problem: { code, message, ...(field ? { field } : {}), ...(details ? { details } : {}) } });
  }
}

const reply = (response, status, body, headers = {}) => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

async function bodyOf(request) {
  let text = '';
  for await (const piece of request) {
    text += piece;
  }
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refused(400, 'invalid', 'The body must be JSON, because nothing else is read. Correct it.');
  }
}

const cookieOf = (request) => /(?:^|; )belfry=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];

function sessionOf(installation, request, needed) {
  const cookie = cookieOf(request);
  const session = installation.sessions.get(cookie);
  if (!session) {
    throw new Refused(401, 'unauthenticated', 'The session is over. Log in again.');
  }
  if (request.method !== 'GET' && request.headers['belfry-csrf'] !== session.csrf) {
    throw new Refused(403, 'forbidden', 'A change by a session must carry the header Belfry-Csrf with what the login answered.');
  }
  if (ROLES.indexOf(session.role) < ROLES.indexOf(needed)) {
    throw new Refused(403, 'forbidden', `This needs the role ${needed}, but the token has ${session.role}.`);
  }
  return { cookie, session };
}

const me = (installation, session) => ({ name: session.role, role: session.role, allNamespaces: true, namespaces: ['default', 'reports'], csrf: session.csrf, expires: new Date(Date.now() + 36e5).toISOString(), insecure: installation.insecure });

const page = (items, search) => {
  const from = Number(search.get('cursor') ?? 0);
  const limit = Number(search.get('limit') ?? 50);
  return { items: items.slice(from, from + limit), ...(from + limit < items.length ? { next: String(from + limit) } : {}) };
};

const find = (items, id, kind) => {
  const found = items.find((each) => each.id === id);
  if (!found) {
    throw new Refused(404, 'notFound', `There is no ${kind} "${id}". Look at the list.`);
  }
  return found;
};

function listJobs({ jobs }, search) {
  const q = (search.get('q') ?? '').toLowerCase();
  const [key, value] = (search.get('label') ?? '').split('=');
  const sort = search.get('sort') ?? 'id';
  const field = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return jobs
    .filter((job) => `${job.id} ${job.name} ${job.description ?? ''}`.toLowerCase().includes(q))
    .filter((job) => !search.has('enabled') || String(job.enabled) === search.get('enabled'))
    .filter((job) => !key || (key in (job.metadata ?? {}) && (value === undefined || job.metadata[key] === value)))
    .sort((a, b) => sign * String(a[field] ?? '9').localeCompare(String(b[field] ?? '9')));
}

function listTasks({ tasks }, search) {
  const order = (task) => (task.ended ? Date.parse(task.ended) : Date.now() + 1e9);
  return tasks
    .filter((task) => ['state', 'job', 'queue', 'worker'].every((name) => !search.has(name) || task[name] === search.get(name)))
    .filter((task) => !search.has('since') || task.scheduled >= search.get('since'))
    .filter((task) => !search.has('until') || task.scheduled <= search.get('until'))
    .sort((a, b) => order(b) - order(a));
}

const CRON_WORDS = {
  english: { '*/5 * * * *': 'Every 5 minutes', '0 30 2 * * *': 'Every day at 02:30', '0 0 8 1 * ?': 'On the 1st of every month at 08:00', '0 0/15 8-18 ? * MON-FRI': 'Every 15 minutes from 08:00 to 18:59, Monday to Friday' },
  chinese: { '*/5 * * * *': '每 5 分钟', '0 30 2 * * *': '每天 02:30', '0 0 8 1 * ?': '每月 1 日 08:00', '0 0/15 8-18 ? * MON-FRI': '周一至周五 08:00 到 18:59，每 15 分钟' },
};
const cronWords = (expression, language) => CRON_WORDS[language]?.[expression] ?? (language === 'chinese' ? `每小时第 ${parseInt(expression, 10)} 分` : `At minute ${parseInt(expression, 10)} of every hour`);

function fires(job) {
  const start = job.next ? Date.parse(job.next) : Date.now() + 3e6;
  if (job.trigger === 'none' || job.trigger.after) {
    return [];
  }
  return Array.from({ length: job.trigger.at ? 1 : 10 }, (_, i) => ({ at: new Date(start + i * 864e5).toISOString(), ...(i === 4 ? { remark: 'clocks change on this day' } : {}) }));
}

function makeTask(installation, job, at, payload) {
  const scheduled = at ?? new Date().toISOString();
  const id = `${job.id}@${scheduled}`;
  if (installation.tasks.some((task) => task.id === id)) {
    return { id, isNew: false };
  }
  installation.tasks.unshift({ id, name: job.name, job: job.id, state: 'pending', priority: job.priority, queue: job.queue, executor: job.executor, ...(payload === undefined ? {} : { payload }), scheduled, due: scheduled, created: scheduled, attempts: 0, retries: 0, history: [] });
  installation.feed.publish('taskSubmitted', { task: id, name: job.name, job: job.id, state: 'pending' });
  return { id, isNew: true };
}

function changeJobs(installation, { action, ids }) {
  return {
    results: ids.map((id) => {
      const job = installation.jobs.find((each) => each.id === id);
      if (!job) {
        return { id, outcome: 'refused', error: { code: 'notFound', message: `There is no job "${id}".` } };
      }
      if (action === 'trigger') {
        return { id, outcome: 'done', task: makeTask(installation, job).id };
      }
      job.enabled = action === 'enable';
      return { id, outcome: 'done' };
    }),
  };
}

function cancelTask(installation, task, reason) {
  if (task.ended) {
    throw new Refused(409, 'conflict', 'The task has ended already. Nothing is left to cancel.');
  }
  const now = new Date().toISOString();
  task.cancel = { ...(reason ? { reason } : {}), by: 'admin', at: now };
  setTimeout(() => {
    task.state = 'cancelled';
    task.ended = new Date().toISOString();
    const last = task.history.at(-1);
    if (last && !last.ended) {
      Object.assign(last, { ended: task.ended, outcome: 'cancelled' });
    }
    installation.feed.publish('taskCancelled', { task: task.id, name: task.name, job: task.job, state: 'cancelled' });
  }, 700).unref();
}

/** What an address means: [role, what to do]. The order is that of openapi.yaml. */
function routes(installation, parts, search, body, response) {
  const [kind, id, verb, deeper] = parts;
  const { jobs, tasks, workers, cluster } = installation;
  const ok = (value) => reply(response, 200, value);
  const accepted = (value) => reply(response, 202, value);
  const none = () => reply(response, 204);
  return {
    'GET jobs': ['viewer', () => ok(page(listJobs(installation, search), search))],
    'POST jobs': ['operator', () => ok(changeJobs(installation, body))],
    'POST jobs/preview': ['viewer', () => ok({ next: fires(find(jobs, body.id, 'job')) })],
    'GET jobs/*': ['viewer', () => ok(find(jobs, id, 'job'))],
    'POST jobs/*/trigger': ['operator', () => {
      const made = makeTask(installation, find(jobs, id, 'job'), body.at, body.payload);
      reply(response, made.isNew ? 201 : 200, { id: made.id });
    }],
    'POST jobs/*/enable': ['operator', () => ok(Object.assign(find(jobs, id, 'job'), { enabled: true }))],
    'POST jobs/*/disable': ['operator', () => ok(Object.assign(find(jobs, id, 'job'), { enabled: false }))],
    'GET jobs/*/explain': ['viewer', () => ok({ at: search.get('at') ?? new Date().toISOString(), outcome: 'skipped', reason: 'overlap', sentence: `${id} did not start at that instant, because its task before it was still running and overlap is "skip".` })],
    'GET jobs/*/versions': ['viewer', () => ok({ items: versionsOf(find(jobs, id, 'job')) })],
    'GET tasks': ['viewer', () => ok(page(listTasks(installation, search), search))],
    'GET tasks/*': ['viewer', () => ok(find(tasks, id, 'task'))],
    'PATCH tasks/*': ['operator', () => {
      find(tasks, id, 'task').priority = body.priority;
      accepted({ id });
    }],
    'POST tasks/*/cancel': ['operator', () => {
      cancelTask(installation, find(tasks, id, 'task'), body.reason);
      accepted({ id });
    }],
    'POST tasks/*/retry': ['operator', () => {
      const task = find(tasks, id, 'task');
      const again = { ...task, id: `${task.id}~again`, state: 'pending', history: [], attempts: 0, ended: undefined, started: undefined, error: undefined, result: undefined, cancel: undefined, worker: undefined };
      tasks.unshift(again);
      reply(response, 201, { id: again.id });
    }],
    'GET tasks/*/logs': ['viewer', (request) => (search.get('follow') === 'true' ? followLog(find(tasks, id, 'task'), request, response) : ok({ attempts: logOf(find(tasks, id, 'task')) }))],
    'GET workers': ['viewer', () => ok({ items: workers.map((worker) => (worker.status === 'unhealthy' ? worker : { ...worker, heartbeat: new Date(Date.now() - 900).toISOString() })) })],
    'POST workers/*/drain': ['operator', () => {
      const worker = find(workers, id, 'worker');
      worker.status = body.undo ? (worker.running ? 'busy' : 'idle') : 'draining';
      accepted();
    }],
    'PUT workers/*/capacity': ['operator', () => {
      find(workers, id, 'worker').capacity = body.capacity;
      accepted();
    }],
    'GET cluster': ['viewer', () => ok({ ...cluster, nodes: cluster.nodes.map((node) => ({ ...node, heartbeat: new Date(Date.now() - 700).toISOString() })) })],
    'POST cluster/pause': ['admin', () => {
      Object.assign(cluster, { paused: true, pausedFor: body.reason });
      none();
    }],
    'POST cluster/resume': ['admin', () => {
      Object.assign(cluster, { paused: false, pausedFor: undefined });
      none();
    }],
    'GET cluster/strategy': ['viewer', () => ok(installation.strategy)],
    'PUT cluster/strategy': ['admin', () => ok(Object.assign(installation.strategy, { strategy: body.strategy }))],
    'POST cluster/strategy/reset': ['admin', none],
    'GET events': ['viewer', (request) => listen(installation.feed, request, response)],
  }[shapeOf(kind, id, verb, deeper)];
  function shapeOf() {
    const method = response.req.method;
    const plain = [kind, id, verb].filter((part) => part !== undefined).join('/');
    const isFixed = kind === 'cluster' || plain === 'jobs/preview';
    return `${method} ${isFixed ? plain : [kind, id === undefined ? undefined : '*', verb].filter((part) => part !== undefined).join('/')}`;
  }
}

async function login(installation, request, response) {
  const { token, code, replace } = await bodyOf(request);
  const role = token !== undefined ? ROLES.find((each) => each === token) : installation.codes.get(code);
  const before = installation.sessions.get(cookieOf(request));
  if (role && before && before.role !== role && !replace) {
    throw new Refused(409, 'conflict', `You are logged in as ${before.role}, and this would log you in as ${role}. Send replace: true to do so, or log out first.`, 'replace', { current: before.role, requested: role, role });
  }
  installation.codes.delete(code);
  installation.sessions.delete(cookieOf(request));
  if (!role) {
    throw new Refused(401, 'unauthenticated', code === undefined ? 'The token is not known here, or is not good any more.' : 'The link was used before, or is too old. Ask for another.');
  }
  const cookie = randomUUID();
  installation.sessions.set(cookie, { role, csrf: randomUUID() });
  reply(response, 200, me(installation, installation.sessions.get(cookie)), { 'Set-Cookie': `belfry=${cookie}; Path=/; HttpOnly; SameSite=Strict` });
}

async function dispatch(installation, request, response) {
  const url = new URL(request.url, 'http://x');
  const parts = url.pathname.split('/').slice(3).map(decodeURIComponent);
  const address = `${request.method} ${parts.join('/')}`;
  if (address === 'POST login') {
    return login(installation, request, response);
  }
  const { cookie, session } = sessionOf(installation, request, 'viewer');
  if (address === 'POST logout') {
    installation.sessions.delete(cookie);
    return reply(response, 204);
  }
  if (address === 'GET me') {
    return reply(response, 200, me(installation, session));
  }
  if (address === 'GET namespaces') {
    return reply(response, 200, { items: ['default', 'reports'].map((name) => ({ name, role: session.role })) });
  }
  if (address === 'GET cron/preview') {
    const expression = url.searchParams.get('expression');
    return reply(response, 200, { expression, zone: 'UTC', description: cronWords(expression, url.searchParams.get('language')), next: [] });
  }
  const body = request.method === 'GET' ? {} : await bodyOf(request);
  const own = parts[1] === 'default' ? installation : { ...installation, jobs: [], tasks: [], workers: [] };
  const route = parts[0] === 'namespaces' && ['default', 'reports'].includes(parts[1]) ? routes(own, parts.slice(2), url.searchParams, body, response) : undefined;
  if (!route) {
    throw new Refused(404, 'notFound', `There is nothing at ${url.pathname}.`);
  }
  sessionOf(installation, request, route[0]);
  return route[1](request);
}

export async function answer(installation, request, response) {
  try {
    await dispatch(installation, request, response);
  } catch (thrown) {
    if (!(thrown instanceof Refused)) {
      throw thrown;
    }
    reply(response, thrown.status, thrown.problem);
  }
}
