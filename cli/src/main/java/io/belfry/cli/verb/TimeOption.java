package io.belfry.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses times and durations of options; an invalid one is a usage error. Threading: stateless. */
public final class TimeOption {
  private TimeOption() {}

  public static Optional<Instant> instant(Verb verb, String option, @Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    return Optional.of(Times.parse(text, verb.context().time(), verb.context().zone())
        .orElseThrow(() -> verb.usage(option
            + " must be a time such as 2027-01-01T00:00:00Z, 2027-01-01T08:00:00 (local time), 2027-01-01, -2h or +10m, but was '"
            + text + "'.")));
  }

  public static Duration duration(Verb verb, String option, String text) {
    return Times.duration(text)
        .orElseThrow(() -> verb.usage(option
            + " must be a duration such as 500ms, 30s, 5m or 1h30m, but was '" + text + "'."));
  }
}
