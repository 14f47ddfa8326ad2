import type { Problem } from './shapes';

/** What the server, or the way to it, did not let happen; in the one grammar {code, message, field}. */
export class Refusal extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly status: number;
  readonly details: Record<string, string>;

  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.name = 'Refusal';
    this.status = status;
    this.code = problem.code;
    this.field = problem.field;
    this.details = problem.details ?? {};
  }
}

/** Words for a refusal that did not come from the server. The dictionary has a sentence for each. */
export const UNREACHABLE = 'unreachable';
export const UNREADABLE = 'unreadable';

export function refusalOf(thrown: unknown): Refusal {
  return thrown instanceof Refusal ? thrown : new Refusal(0, { code: UNREADABLE, message: String(thrown) });
}

export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Problem).code === 'string' &&
    typeof (value as Problem).message === 'string'
  );
}
