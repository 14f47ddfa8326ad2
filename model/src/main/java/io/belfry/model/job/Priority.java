package io.belfry.model.job;

/** Which of the waiting tasks goes first; within one priority, the earlier. */
public enum Priority {
  LOW,
  NORMAL,
  HIGH,
  URGENT
}
