package io.belfry.model.cron;

/** The cron dialect in which an expression is written. */
public enum Dialect {
  /** Weekday numbers as in crontab: 0 and 7 are Sunday, 1 is Monday. */
  BELFRY,
  /** Weekday numbers as in Quartz: 1 is Sunday, 7 is Saturday, and {@code ?} follows Quartz's rules. */
  QUARTZ
}
