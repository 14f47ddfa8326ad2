import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask, askAll, at, carryCsrf, LOGIN, onSessionOver, query } from '../src/api/http';
import { Refusal, refusalOf } from '../src/api/refusal';
import type { Job } from '../src/api/shapes';
import { changedFields } from '../src/jobs/changes';
import { lane } from '../src/jobs/lane';
import { codeIn } from '../src/session/loginCode';
import { includes } from '../src/session/May';

const answers = (status: number, body: string, headers = {}) => vi.fn(async () => new Response(status === 204 ? null : body, { status, headers }));
const refused = async (work: Promise<unknown>): Promise<Refusal> => work.then(() => { throw new Error('It was not refused.'); }, refusalOf);

describe('a request', () => {
  beforeEach(() => carryCsrf('secret'));
  afterEach(() => {
    vi.unstubAllGlobals();
    onSessionOver(() => {});
  });

  test('that changes something carries the csrf token, and one that reads does not', async () => {
    const fetched = answers(200, '{}');
    vi.stubGlobal('fetch', fetched);
    await ask('/api/v1/me');
    await ask('/api/v1/logout', { method: 'POST' });
    const headers = fetched.mock.calls.map((call) => (call as unknown as [string, { headers: Record<string, string> }])[1].headers['Belfry-Csrf']);
    expect(headers).toEqual([undefined, 'secret']);
  });

  test('that is refused says so in the one grammar', async () => {
    vi.stubGlobal('fetch', answers(400, '{"code":"invalid","message":"No.","field":"trigger.cron"}'));
    expect(await refused(ask('/x'))).toMatchObject({ status: 400, code: 'invalid', message: 'No.', field: 'trigger.cron' });
  });

  test('that something else answers is unreadable, not a crash', async () => {
    vi.stubGlobal('fetch', answers(502, '<html>Bad gateway</html>'));
    expect(await refused(ask('/x'))).toMatchObject({ status: 502, code: 'unreadable' });
    vi.stubGlobal('fetch', answers(200, '<html>Welcome to the proxy</html>'));
    expect(await refused(ask('/x'))).toMatchObject({ code: 'unreadable' });
  });

  test('that nobody answers is unreachable', async () => {
    vi.stubGlobal('fetch', vi.fn(async () => { throw new TypeError('Failed to fetch'); }));
    expect(await refused(ask('/x'))).toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('that is answered by nothing gives nothing', async () => {
    vi.stubGlobal('fetch', answers(204, ''));
    expect(await ask('/x', { method: 'POST' })).toBeUndefined();
  });

  test('for a list has the items of all of its pages, also behind an empty one', async () => {
    const pages = ['{"items":[1],"next":"p 2"}', '{"items":[],"next":"p3"}', '{"items":[2]}'];
    const fetched = vi.fn(async (_path: string) => new Response(pages.shift(), { status: 200 }));
    vi.stubGlobal('fetch', fetched);
    expect(await askAll('/x')).toEqual({ items: [1, 2] });
    expect(fetched.mock.calls.map((call) => call[0])).toEqual(['/x', '/x?cursor=p+2', '/x?cursor=p3']);
  });

  test('with 401 ends the session, but not at the login', async () => {
    const over = vi.fn();
    onSessionOver(over);
    vi.stubGlobal('fetch', answers(401, '{"code":"unauthenticated","message":"No."}'));
    await refused(ask(LOGIN, { method: 'POST', body: {} }));
    expect(over).not.toHaveBeenCalled();
    await refused(ask('/api/v1/me'));
    expect(over).toHaveBeenCalledOnce();
  });
});

describe('addresses', () => {
  test('are escaped part by part', () => expect(at('default', 'tasks', 'a@2026-01-01T00:00:00Z/../x')).toBe('/api/v1/namespaces/default/tasks/a%402026-01-01T00%3A00%3A00Z%2F..%2Fx'));
  test('leave out what is empty', () => expect(query({ q: '', limit: 5, cursor: undefined, label: 'a=b' })).toBe('?limit=5&label=a%3Db'));
});

describe('the code of a login link', () => {
  test.each([['#code=abc', 'abc'], ['#code=a%2Bb&x=1', 'a+b'], ['', undefined], ['#token=abc', undefined], ['#code=', undefined], ['#code=%E0%A4%A', undefined]])('of "%s" is %s', (hash, code) => {
    expect(codeIn(hash)).toBe(code);
  });
});

describe('roles', () => {
  test('include those below them', () => {
    expect(includes('admin', 'operator')).toBe(true);
    expect(includes('operator', 'operator')).toBe(true);
    expect(includes('viewer', 'operator')).toBe(false);
    expect(includes('operator', 'developer')).toBe(false);
    expect(includes('developer', 'operator')).toBe(true);
    expect(includes('developer', 'admin')).toBe(false);
  });
});

describe('versions of a job', () => {
  const job = (more: object) => ({ id: 'a', name: 'a', trigger: 'none', executor: { type: 'local' }, enabled: true, generation: 1, created: '', updated: '', ...more }) as Job;
  test('differ by what was defined, not by when or in which order', () => {
    expect(changedFields(job({ generation: 2, updated: 'x', metadata: { a: '1', b: '2' } }), job({ metadata: { b: '2', a: '1' } }))).toEqual([]);
    expect(changedFields(job({ queue: 'x' }), job({ priority: 'low' }))).toEqual(['priority', 'queue']);
  });
});

describe('a lane', () => {
  test('lets only so many at once, and all in the end', async () => {
    const enter = lane(3);
    let inside = 0;
    let most = 0;
    const work = async (n: number) => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      if (n % 4 === 0) {
        throw new Error('one that fails lets the next in, too');
      }
      return n;
    };
    const done = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => enter(() => work(n))));
    expect(most).toBe(3);
    expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(30);
  });
});
