package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import io.belfry.store.Store;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.util.Locale;

/**
 * Bugs that can be put between the core and its store, its clock or its clients, in the processes of a run, to see whether the checker finds
 * them, and as what. Only the witness's own node knows them; nothing of them is in a release.
 */
enum Flaw {
  /** None: the control. */
  NONE(Fault.F1, Kind.LOST),
  /** Leaders compare nothing: neither who leads, nor the term, nor what has been fired. */
  BLIND_LEADER(Fault.F1, Kind.TWO_LEADERS),
  /** Reports are not compared with the token of the task. */
  BLIND_WORKER(Fault.F3, Kind.STALE),
  /** The cursor is advanced first, the tasks of the fire are written in a second step. */
  CURSOR_FIRST(Fault.F1, Kind.LOST),
  /** The leader does not hear that a worker's lease has ended. */
  DEAF_LEADER(Fault.F2, Kind.UNRECOVERED),
  /** Trust and steps of the clock are measured by the calendar. */
  CALENDAR_STOPWATCH(Fault.F10, Kind.EARLY),
  /** A submit is acknowledged before it is committed. */
  ACKNOWLEDGED_FIRST(Fault.F1, Kind.LOST),
  /** A caller's key is not compared: a submit that comes again is another task. */
  FORGETFUL_KEYS(Fault.F1, Kind.DUPLICATE),
  /** A process that is told to stop renews no lease any more, while its tasks still run. */
  LEAVING_UNRENEWED(Fault.F4, Kind.DUPLICATE),
  /** A dead worker's tasks are taken from it in one step, and given back to those that wait in another. */
  RESCUE_IN_TWO_STEPS(Fault.F1, Kind.LOST),
  /** Workers claim tasks of pulled queues without comparing whether another has claimed them. */
  BLIND_CLAIM(Fault.F1, Kind.DUPLICATE),
  /** Leaders read every job as if it allowed overlap. */
  NO_OVERLAP_POLICY(Fault.F1, Kind.OVERLAP),
  /** Leaders read every job as if it had no limit. */
  NO_LIMITS(Fault.F1, Kind.LIMIT);

  static final String PROPERTY = "belfry.witness.flaw";

  /** What a bug leaves behind may never settle. */
  static final Duration SETTLING = Duration.ofSeconds(20);

  private static volatile boolean leaving;

  /** What brings it out. */
  final Fault fault;
  /** What it must be found as, besides whatever else. */
  final Kind expected;

  Flaw(Fault fault, Kind expected) {
    this.fault = fault;
    this.expected = expected;
  }

  static Flaw ofThisProcess() {
    return named(System.getProperty(PROPERTY, NONE.toString()));
  }

  static Flaw named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** This process has been told to stop. */
  static void leaving() {
    leaving = true;
  }

  static boolean isLeaving() {
    return leaving;
  }

  Store in(Store store) {
    return switch (this) {
      case NONE, CALENDAR_STOPWATCH -> store;
      default -> new FlawedStore(store, this);
    };
  }

  Time in(SteppedTime time) {
    return this == CALENDAR_STOPWATCH ? time.withStopwatchByCalendar() : time;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
