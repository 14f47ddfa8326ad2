package io.belfry.model.cron;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A parsed cron expression: computes when it fires. The syntax is described in {@code docs/cron.md}.
 *
 * <pre>{@code
 * Cron nightly = Cron.parse("0 30 2 * * MON-FRI").in(ZoneId.of("America/New_York"));
 * Optional<Instant> due = nightly.next(lastFire);
 * String words = nightly.describe(Language.ENGLISH);   // every weekday at 02:30
 * }</pre>
 *
 * <p>Fires are whole seconds between 1970 and 2199. Stepping with {@link #next} from fire to fire visits
 * every fire once; {@link #previous} visits them in reverse. Threading: immutable.
 */
public sealed interface Cron permits CalendarCron, EveryCron {

  /** Returned by {@link #nextEpochSecond} when there is no later fire. */
  long NEVER_AGAIN = Long.MAX_VALUE;

  /** Returned by {@link #previousEpochSecond} when there is no earlier fire. */
  long NEVER_BEFORE = Long.MIN_VALUE;

  /**
   * Parses an expression in Belfry's own dialect, without a job id. The result is in UTC, follows
   * {@link DstRule#DEFAULT}, and {@code @every} counts from 1970-01-01T00:00:00Z; see {@link #in},
   * {@link #with} and {@link #from}.
   *
   * @throws CronSyntaxException with the position of the error; also for an expression that can
   *     never fire, and for {@code H}, which needs a job id
   */
  static Cron parse(String expression) {
    return Parser.parse(expression, Dialect.BELFRY, JobHash.NONE);
  }

  /**
   * As {@link #parse(String)}, in a given dialect.
   *
   * @throws CronSyntaxException as above
   */
  static Cron parse(String expression, Dialect dialect) {
    return Parser.parse(expression, dialect, JobHash.NONE);
  }

  /**
   * As {@link #parse(String)}, in a given dialect and for a given job.
   *
   * @param jobId resolves {@code H} fields: the same id always gives the same times
   * @throws CronSyntaxException as above
   */
  static Cron parse(String expression, Dialect dialect, String jobId) {
    return Parser.parse(expression, dialect, JobHash.by(jobId));
  }

  /** The same expression in this time zone. */
  Cron in(ZoneId zone);

  /** The same expression with another rule for clock changes. */
  Cron with(DstRule rule);

  /**
   * The same expression with this anchor (truncated to the second), which is its first possible
   * fire. Only {@code @every} has an anchor; other expressions do not change.
   */
  Cron from(Instant anchor);

  /** The text that was parsed. */
  String expression();

  Dialect dialect();

  ZoneId zone();

  DstRule dstRule();

  /** The first fire strictly after this instant; empty if there is none before the year 2200. */
  default Optional<Instant> next(Instant after) {
    long second = nextEpochSecond(after.getEpochSecond());
    return second == NEVER_AGAIN ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second));
  }

  /** The last fire strictly before this instant; empty if there is none since 1970. */
  default Optional<Instant> previous(Instant before) {
    // Fires are whole seconds: with a fraction of a second, the second itself is "before".
    long bound = before.getEpochSecond() + (before.getNano() > 0 ? 1 : 0);
    long second = previousEpochSecond(bound);
    return second == NEVER_BEFORE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second));
  }

  /** {@link #next} without allocation: the epoch second of the fire, or {@link #NEVER_AGAIN}. */
  long nextEpochSecond(long after);

  /** {@link #previous} without allocation: the epoch second of the fire, or {@link #NEVER_BEFORE}. */
  long previousEpochSecond(long before);

  /**
   * The next fires strictly after an instant, for display, each with a mark if a clock change affects it.
   * Shorter than requested if there are no more fires.
   */
  List<Fire> preview(Instant after, int count);

  /** A description of the schedule in words. */
  String describe(Language language);
}
