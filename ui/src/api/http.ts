import { learnTime } from './clock';
import { isProblem, Refusal, UNREACHABLE, UNREADABLE } from './refusal';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call {
  method?: Method;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

let csrf: string | undefined;
let whenSessionIsOver: () => void = () => {};

/** Changes must carry what the login answered; see `Belfry-Csrf` in the API. */
export function carryCsrf(value: string | undefined): void {
  csrf = value;
}

export function onSessionOver(react: () => void): void {
  whenSessionIsOver = react;
}

/** Sends a request and gives back the open answer; refusals are thrown. */
export async function open(path: string, call: Call = {}): Promise<Response> {
  const method = call.method ?? 'GET';
  const headers: Record<string, string> = { Accept: 'application/json', ...call.headers };
  if (call.body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  if (method !== 'GET' && csrf !== undefined) {
    headers['Belfry-Csrf'] = csrf;
  }
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
    });
  } catch (thrown) {
    if (call.signal?.aborted) {
      throw thrown;
    }
    throw new Refusal(0, { code: UNREACHABLE, message: String(thrown) });
  }
  learnTime(answer.headers.get('Date'));
  if (!answer.ok) {
    throw await refusalFrom(answer, path);
  }
  return answer;
}

/** Sends a request and reads its JSON; undefined if there is none, as with 202 and 204. */
export async function ask<T>(path: string, call: Call = {}): Promise<T> {
  const answer = await open(path, call);
  const text = await answer.text();
  if (text === '') {
    return undefined as T;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Refusal(answer.status, { code: UNREADABLE, message: text.slice(0, 200) });
  }
}

/** A list that is one page most of the time: all of its pages as one. */
export async function askAll<T>(path: string, call: Call = {}): Promise<{ items: T[] }> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask<{ items: T[]; next?: string }>(path + query({ cursor }), call);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return { items };
}

async function refusalFrom(answer: Response, path: string): Promise<Refusal> {
  // A wrong token at the login is for the login's form; anywhere else 401 means that the session is over.
  if (answer.status === 401 && path !== LOGIN) {
    whenSessionIsOver();
  }
  const text = await answer.text().catch(() => '');
  try {
    const problem: unknown = JSON.parse(text);
    if (isProblem(problem)) {
      return new Refusal(answer.status, problem);
    }
  } catch {
    // Not JSON: something between the browser and the server answered, a proxy for example.
  }
  return new Refusal(answer.status, { code: UNREADABLE, message: `${answer.status} ${answer.statusText}` });
}

export const API = '/api/v1';
export const LOGIN = `${API}/login`;

/** An address below a namespace; every part is escaped, because ids of tasks contain colons and signs. */
export function at(ns: string, ...parts: string[]): string {
  return [API, 'namespaces', ns, ...parts].map((part, i) => (i < 2 ? part : encodeURIComponent(part))).join('/');
}

/** A query string of what is given; empty values are left out. */
export function query(values: Record<string, string | number | boolean | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') {
      search.set(name, String(value));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
