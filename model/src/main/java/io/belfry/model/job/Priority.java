package io.belfry.model.job;

/** The priority of a waiting task. Within one priority, the earlier task goes first. */
public enum Priority {
  LOW,
  NORMAL,
  HIGH,
  URGENT
}
