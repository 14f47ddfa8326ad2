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

  /** Fires on a cron schedule. Keeps the expression as written, after checking that it is valid and can fire. */
  record Cron(String expression, ZoneId zone, DstRule dst, Dialect dialect, Window window)
      implements Trigger {
    private static final int EXPRESSION_CHARS_MAX = 256;

    public Cron {
      Check.text("trigger.cron", expression, EXPRESSION_CHARS_MAX);
      try {
        // Whether the expression is valid does not depend on the job.
        var unused = io.belfry.model.cron.Cron.parse(expression, dialect, "any");
      } catch (CronSyntaxException e) {
        throw new InvalidException("trigger.cron", "trigger.cron: " + e.getMessage());
      }
    }

    /**
     * The parsed expression.
     *
     * @param job its id resolves {@code H} fields
     * @param firstSaved the anchor of {@code @every}, unless the window has a start
     */
    public io.belfry.model.cron.Cron read(JobId job, Instant firstSaved) {
      return io.belfry.model.cron.Cron.parse(expression, dialect, job.value())
          .in(zone)
          .with(dst)
          .from(window.start().orElse(firstSaved));
    }
  }

  /** Fires at a fixed interval, counted from the window's start or else from the first save of the job; never from a restart. */
  record Every(Duration interval, From from, Window window) implements Trigger {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(3660);

    public Every {
      Check.between(
          "trigger.every",
          interval,
          SHORTEST,
          LONGEST,
          "a faster repetition belongs into a loop inside one task");
      Check.that(
          interval.equals(Duration.ofMillis(interval.toMillis())),
          "trigger.every",
          interval,
          "must be whole milliseconds, because the scheduled instant is part of the task id",
          "Round the interval.");
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
      /** Fixed rate: the next fire is one interval after the previous one was due. */
      START,
      /** Fixed delay: the next fire is one interval after the previous task ended. */
      END
    }
  }

  /** Fires once. */
  record At(Instant instant) implements Trigger {}

  /** Fires when a task of another job has ended with the given outcome. */
  record After(JobId job, Outcome on) implements Trigger {
    /** The metadata entry that holds the id of the task whose end triggered this one. */
    public static final String PREDECESSOR = "belfry.after";

    public enum Outcome {
      SUCCEEDED,
      FAILED,
      /** Succeeded, failed or cancelled. */
      FINISHED
    }
  }

  /** Fires only when a user triggers the job. */
  record Manual() implements Trigger {}

  static Cron cron(String expression, ZoneId zone) {
    return new Cron(expression, zone, DstRule.DEFAULT, Dialect.BELFRY, Window.ALWAYS);
  }

  static Every every(Duration interval) {
    return new Every(interval, Every.From.START, Window.ALWAYS);
  }
}
