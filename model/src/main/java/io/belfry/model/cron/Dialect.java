package io.belfry.model.cron;

/** Whose conventions an expression is read by. */
public enum Dialect {
  /** Weekday numbers as in crontab: 0 and 7 are Sunday, 1 is Monday. */
  BELFRY,
  /** Weekday numbers as in Quartz: 1 is Sunday, 7 is Saturday, and {@code ?} follows Quartz's rules. */
  QUARTZ
}
