package io.belfry.core.record;

/** The kinds of events, to subscribe to and to send. New ones are appended. */
public enum EventKind {
  TASK_SUBMITTED,
  TASK_SCHEDULED,
  TASK_STARTED,
  TASK_COMPLETED,
  TASK_FAILED,
  TASK_CANCELLED,
  TASK_RETRYING,
  FIRES_SKIPPED,
  WORKER_JOINED,
  WORKER_LEFT,
  WORKER_ONLINE,
  WORKER_OFFLINE,
  LEADER_CHANGED,
  REPORT_REJECTED,
  TASKS_UNMATCHED
}
