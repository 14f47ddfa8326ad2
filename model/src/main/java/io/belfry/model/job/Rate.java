package io.belfry.model.job;

import io.belfry.model.Check;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A rate limit: starts per unit of time, written {@code 100/min}. */
public record Rate(int count, Unit per) {
  private static final int COUNT_MAX = 1_000_000;
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,7})\\s*/\\s*(s|sec|second|m|min|minute|h|hour|d|day)");

  public enum Unit {
    SECOND("s", Duration.ofSeconds(1)),
    MINUTE("min", Duration.ofMinutes(1)),
    HOUR("h", Duration.ofHours(1)),
    DAY("d", Duration.ofDays(1));

    private final String symbol;
    private final Duration length;

    Unit(String symbol, Duration length) {
      this.symbol = symbol;
      this.length = length;
    }

    public Duration length() {
      return length;
    }
  }

  public Rate {
    Check.between(
        "limit.rate",
        count,
        1,
        COUNT_MAX,
        "with 0 no task would ever start; disable the job instead");
  }

  public static Rate parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw Check.refusal(
          "limit.rate",
          text,
          "must be a whole number, a slash and a unit (s, min, h or d), because it counts starts per unit of time",
          "Write it like 100/min.");
    }
    return new Rate(Integer.parseInt(form.group(1)), unit(form.group(2).charAt(0)));
  }

  private static Unit unit(char initial) {
    return switch (initial) {
      case 's' -> Unit.SECOND;
      case 'm' -> Unit.MINUTE;
      case 'h' -> Unit.HOUR;
      default -> Unit.DAY; // the pattern allows no other unit
    };
  }

  @Override
  public String toString() {
    return count + "/" + per.symbol;
  }
}
