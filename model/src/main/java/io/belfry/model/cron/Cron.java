package io.belfry.model.cron;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A cron expression, ready to say when it fires. The whole syntax is described in {@code
 * docs/cron.md}.
 *
 * <pre>{@code
 * Cron nightly = Cron.parse("0 30 2 * * MON-FRI").in(ZoneId.of("America/New_York"));
 * Optional<Instant> due = nightly.next(lastFire);
 * String words = nightly.describe(Language.ENGLISH);   // every weekday at 02:30
 * }</pre>
 *
 * <p>Fires are whole seconds between 1970 and 2199. Going on from fire to fire with {@link #next}
 * meets every fire once, and {@link #previous} goes the same way back. Threading: immutable.
 */
public sealed interface Cron permits CalendarCron, EveryCron {

  /** What {@link #nextEpochSecond} answers when nothing fires any more. */
  long NEVER_AGAIN = Long.MAX_VALUE;

  /** What {@link #previousEpochSecond} answers when nothing has fired before. */
  long NEVER_BEFORE = Long.MIN_VALUE;

  /**
   * Reads an expression in Belfry's own dialect, without a job id. The result is in UTC, follows
   * {@link DstRule#DEFAULT}, and {@code @every} counts from 1970-01-01T00:00:00Z; see {@link #in},
   * {@link #with} and {@link #from}.
   *
   * @throws CronSyntaxException with the position of the mistake; also for an expression that can
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
   * @param jobId what {@code H} is spread by: the same id always gives the same times
   * @throws CronSyntaxException as above
   */
  static Cron parse(String expression, Dialect dialect, String jobId) {
    return Parser.parse(expression, dialect, JobHash.by(jobId));
  }

  /** The same expression, read on the clocks of this zone. */
  Cron in(ZoneId zone);

  /** The same expression under another rule for clock changes. */
  Cron with(DstRule rule);

  /**
   * The same expression, counted from this instant (cut to the second), which is its first possible
   * fire. Only {@code @every} counts; any other expression stays as it is.
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
    // Fires are whole seconds, so a fraction of a second lets the second itself be "before".
    long bound = before.getEpochSecond() + (before.getNano() > 0 ? 1 : 0);
    long second = previousEpochSecond(bound);
    return second == NEVER_BEFORE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second));
  }

  /** {@link #next} without an object: the second of the fire, or {@link #NEVER_AGAIN}. */
  long nextEpochSecond(long after);

  /** {@link #previous} without an object: the second of the fire, or {@link #NEVER_BEFORE}. */
  long previousEpochSecond(long before);

  /**
   * The next fires strictly after an instant as a person would want to see them, each with a mark
   * where a clock change touches it. Shorter than asked if nothing more fires.
   */
  List<Fire> preview(Instant after, int count);

  /** What the expression says, in plain words. */
  String describe(Language language);
}
