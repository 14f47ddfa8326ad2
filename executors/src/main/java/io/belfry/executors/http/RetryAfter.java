package io.belfry.executors.http;

import io.belfry.model.time.Time;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Parses the Retry-After header: seconds or a date. Threading: stateless. */
final class RetryAfter {
  private RetryAfter() {}

  static Optional<Duration> parse(String header, Time time) {
    String text = header.strip();
    if (text.matches("\\d{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
    try {
      ZonedDateTime at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
      Duration left = Duration.between(time.wall(), at.toInstant());
      return Optional.of(left.isNegative() ? Duration.ZERO : Duration.ofSeconds(left.toSeconds()));
    } catch (DateTimeException e) {
      return Optional.empty(); // an invalid header is ignored
    }
  }
}
