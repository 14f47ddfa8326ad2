/** What the server answers, as openapi.yaml describes it. */

export type Instant = string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Labels = Record<string, string>;

export const ROLES = ['viewer', 'operator', 'developer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const STATES = ['pending', 'assigned', 'running', 'retrying', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type State = (typeof STATES)[number];

export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface Problem {
  code: string;
  message: string;
  field?: string;
  details?: Record<string, string>;
}

export interface Me {
  name: string;
  role?: Role;
  allNamespaces: boolean;
  namespaces?: string[];
  csrf?: string;
  expires?: Instant;
  insecure?: boolean;
}

export interface Namespace {
  name: string;
  description?: string;
  role?: Role;
}

export interface Page<T> {
  items: T[];
  next?: string;
}

export interface Executor {
  type: string;
  [key: string]: Json | undefined;
}

export interface TriggerRule {
  cron?: string;
  zone?: string;
  dialect?: 'belfry' | 'quartz';
  dst?: { gap?: string; repeat?: string };
  every?: string;
  from?: 'start' | 'end';
  at?: Instant;
  after?: string;
  on?: 'succeeded' | 'failed' | 'finished';
  calendar?: string;
  jitter?: string;
  start?: string;
  end?: string;
}
export type Trigger = 'none' | TriggerRule;

/** Only the fields that are read one by one; the others are shown as they come. */
export interface Job {
  id: string;
  name: string;
  description?: string;
  trigger: Trigger;
  executor: Executor;
  queue?: string;
  priority?: Priority;
  enabled: boolean;
  metadata?: Labels;
  generation: number;
  created: Instant;
  updated: Instant;
  next?: Instant;
  last?: Instant;
}

export interface JobPreview {
  description?: string;
  next: { at: Instant; local?: string; remark?: string }[];
}

export interface CronPreview {
  expression: string;
  zone: string;
  description: string;
  next: string[];
}

export interface Explanation {
  at: Instant;
  outcome: string;
  sentence: string;
  task?: string;
  reason?: string;
}

export interface BulkOutcome {
  results: { id: string; outcome: string; task?: string; error?: Problem }[];
}

export interface TaskRef {
  id: string;
}

export interface Result {
  code?: number;
  message?: string;
  data?: Json;
}

export type FailureKind = 'error' | 'timeout' | 'lost' | 'rejected';

export interface RetryRule {
  max: number;
  delay: string;
  backoff: number;
  cap: string;
  jitter?: boolean;
  on?: FailureKind[];
}

export interface Attempt {
  number: number;
  token: string;
  worker: string;
  assigned?: Instant;
  started?: Instant;
  ended?: Instant;
  outcome?: 'succeeded' | 'failed' | 'handedBack' | 'cancelled';
  failure?: FailureKind;
  result?: Result;
}

export interface Task {
  id: string;
  name: string;
  job?: string;
  state: State;
  priority: Priority;
  queue: string;
  executor: Executor;
  payload?: Json;
  scheduled: Instant;
  due?: Instant;
  waits?: string;
  created: Instant;
  submittedBy?: string;
  started?: Instant;
  ended?: Instant;
  worker?: string;
  attempts: number;
  retries?: number;
  history?: Attempt[];
  result?: Result;
  error?: string;
  skipped?: string;
  cancel?: { reason?: string; by?: string; at?: Instant };
  progress?: { fraction?: number; message?: string; at?: Instant };
  idempotencyKey?: string;
  timeout?: string;
  retry?: RetryRule;
  atMostOnce?: boolean;
  workers?: Labels;
  limit?: Json;
  metadata?: Labels;
}

export const WORKER_STATUSES = ['idle', 'busy', 'full', 'draining', 'unhealthy'] as const;
export type WorkerStatus = (typeof WORKER_STATUSES)[number];

export interface Worker {
  id: string;
  name: string;
  address?: string;
  status: WorkerStatus;
  labels?: Labels;
  queues?: string[];
  weight?: number;
  capacity: number;
  running: number;
  since?: Instant;
  heartbeat?: Instant;
  load?: { cpu?: number; memory?: number; network?: number; connections?: number };
}

export interface Node {
  id: string;
  roles: ('scheduler' | 'worker')[];
  address?: string;
  version?: string;
  since?: Instant;
  heartbeat?: Instant;
  leads?: boolean;
}

export interface Engine {
  kind: string;
  version?: string;
  durability: string;
  /** How much of its space is taken, from 0 to 1. */
  fullness?: number;
  warnings?: string[];
}

export interface Cluster {
  leader?: string;
  since?: Instant;
  term: number;
  elections: number;
  nodes: Node[];
  engine: Engine;
  electionEngine?: Engine;
  paused: boolean;
  pausedFor?: string;
}

export interface Strategy {
  strategy: string;
  known: string[];
}

export interface TaskLogs {
  attempts: { number: number; text: string }[];
}
