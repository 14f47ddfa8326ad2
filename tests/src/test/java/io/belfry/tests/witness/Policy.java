package io.belfry.tests.witness;

/**
 * What a job of a run asks for besides its times, and how long its bodies take so that the policy matters.
 *
 * @see PolicyRule how each is judged
 */
enum Policy {
  /** Overlap is allowed, every missed fire is made up for: each due instant runs. */
  PLAIN(WorkLength.between(0, 200)),
  /** A fire is skipped while the previous task runs. Every other task takes longer than the four seconds to the next fire. */
  SKIP(WorkLength.either(300, 4_600)),
  /** Fires run one after the other, in the order of their instants. */
  QUEUE(WorkLength.between(200, 2_600)),
  /** A fire cancels the previous task. Every other task would take longer than the three seconds to the next fire. */
  REPLACE(WorkLength.either(300, 6_000)),
  /** One task for each accepted end of another job's tasks. */
  AFTER(WorkLength.between(0, 200)),
  /** At most {@value #CONCURRENCY} tasks at once, for all jobs of this policy together. */
  LIMIT(WorkLength.between(300, 900)),
  /** At most {@value #RATE_PER_SECOND} starts in a second, for all jobs of this policy together. */
  RATE(WorkLength.between(0, 200)),
  /** The workers claim the tasks from a queue. */
  PULL(WorkLength.between(0, 200)),
  /** The body is started at most once. */
  AT_MOST_ONCE(WorkLength.between(200, 900));

  static final int CONCURRENCY = 2;
  static final int RATE_PER_SECOND = 3;
  /** What the tasks of {@link #LIMIT} are counted by. */
  static final String LIMIT_KEY = "witness-limit";
  /** What the starts of {@link #RATE} are counted by. */
  static final String RATE_KEY = "witness-rate";
  /** The queue of {@link #PULL}. */
  static final String PULL_QUEUE = "pulled";

  /** How long a body takes, as the payload of the job says. */
  final String payload;

  Policy(WorkLength work) {
    this.payload = work.payload();
  }

  /** Whether every due instant leads to a START, sooner or later. */
  boolean startsAll() {
    return this != SKIP && this != REPLACE && this != AT_MOST_ONCE;
  }

  /** Whether a fire waits for nothing but a free worker, so that it can be late. */
  boolean startsAtOnce() {
    return this == PLAIN || this == SKIP || this == PULL || this == AT_MOST_ONCE;
  }
}
