package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.Locale;

/**
 * Bugs that can be put between the core and its store or its clock, in the processes of a run, to see whether the checker finds them. Only
 * the witness's own node knows them; nothing of them is in a release.
 */
enum Flaw {
  NONE(Fault.F1),
  /** Leaders compare nothing: neither who leads, nor the term, nor what has been fired. */
  BLIND_LEADER(Fault.F1),
  /** Reports are not compared with the token of the task. */
  BLIND_WORKER(Fault.F3),
  /** The cursor is advanced first, the tasks of the fire are written in a second step. */
  CURSOR_FIRST(Fault.F1),
  /** The leader does not hear that a worker's lease has ended. */
  DEAF_LEADER(Fault.F2),
  /** Trust and steps of the clock are measured by the calendar. */
  CALENDAR_STOPWATCH(Fault.F10);

  static final String PROPERTY = "belfry.witness.flaw";

  /** What a bug leaves behind may never settle. */
  static final Duration SETTLING = Duration.ofSeconds(20);

  /** What brings it out. */
  final Fault fault;

  Flaw(Fault fault) {
    this.fault = fault;
  }

  static Flaw ofThisProcess() {
    return named(System.getProperty(PROPERTY, NONE.toString()));
  }

  static Flaw named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  Store in(Store store) {
    return this == NONE || this == CALENDAR_STOPWATCH ? store : new FlawedStore(store, this);
  }

  Time in(SteppedTime time) {
    return this == CALENDAR_STOPWATCH ? time.withStopwatchByCalendar() : time;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
