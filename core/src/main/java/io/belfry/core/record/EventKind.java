package io.belfry.core.record;

/** What can happen, by name: what a node wants to hear of, and what it is told. New ones are appended. */
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
