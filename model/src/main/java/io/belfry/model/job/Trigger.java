package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.cron.CronSyntaxException;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** When a job fires. */
public sealed interface Trigger {

  /** By the calendar. Holds the expression as written, which was read once and can fire. */
  record Cron(String expression, ZoneId zone, DstRule dst, Dialect dialect, Window window)
      implements Trigger {
    private static final int EXPRESSION_CHARS_MAX = 256;

    public Cron {
      Check.text("trigger.cron", expression, EXPRESSION_CHARS_MAX);
      try {
        // Whether it can be read does not depend on the job that it is for.
        var unused = io.belfry.model.cron.Cron.parse(expression, dialect, "any");
      } catch (CronSyntaxException e) {
        throw new InvalidException("trigger.cron", "trigger.cron: " + e.getMessage());
      }
    }

    /**
     * The expression, ready to say when it fires.
     *
     * @param job whose id {@code H} is spread by
     * @param firstSaved what {@code @every} counts from, unless the window has a start
     */
    public io.belfry.model.cron.Cron read(JobId job, Instant firstSaved) {
      return io.belfry.model.cron.Cron.parse(expression, dialect, job.value())
          .in(zone)
          .with(dst)
          .from(window.start().orElse(firstSaved));
    }
  }

  /** By elapsed time, counted from the window's start or else from the first save; never from a restart. */
  record Every(Duration interval, From from, Window window) implements Trigger {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(3660);

    public Every {
      Check.between(
          "trigger.every",
          interval,
          SHORTEST,
          LONGEST,
          "what repeats faster is a loop inside one task");
      Check.that(
          interval.equals(Duration.ofMillis(interval.toMillis())),
          "trigger.every",
          interval,
          "must be whole milliseconds, because the scheduled instant names the task",
          "Round it.");
      if (window.jitter().compareTo(interval) >= 0) {
        throw Check.refusal(
            "trigger.jitter",
            window.jitter(),
            "must be shorter than trigger.every (" + interval
                + "), because fires would overtake each other",
            "Shorten the jitter.");
      }
    }

    public enum From {
      /** A fixed rate: the next fire is one interval after the last one was due. */
      START,
      /** A fixed delay: the next fire is one interval after the last task ended. */
      END
    }
  }

  /** Once. */
  record At(Instant instant) implements Trigger {}

  /** When a task of another job has ended in the given way. */
  record After(JobId job, Outcome on) implements Trigger {
    /** Where the metadata of a task name the task whose end it follows. */
    public static final String PREDECESSOR = "belfry.after";

    public enum Outcome {
      SUCCEEDED,
      FAILED,
      /** Succeeded, failed or cancelled. */
      FINISHED
    }
  }

  /** Only when asked. */
  record Manual() implements Trigger {}

  static Cron cron(String expression, ZoneId zone) {
    return new Cron(expression, zone, DstRule.DEFAULT, Dialect.BELFRY, Window.ALWAYS);
  }

  static Every every(Duration interval) {
    return new Every(interval, Every.From.START, Window.ALWAYS);
  }
}
