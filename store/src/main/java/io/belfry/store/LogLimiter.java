package io.belfry.store;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Bounds how often the same message is logged: the first one at once, then at most one in each interval, with the number of messages that
 * were left out since. Messages are told apart by a text of the caller's; of more than {@value #TEXTS_MAX} texts the oldest are forgotten.
 *
 * <pre>{@code
 * limiter.log(text, more -> LOG.warn("{}{}", text, more));
 * }</pre>
 *
 * <p>Threading: safe; locks for a moment, so it belongs on paths of failures only.
 */
public final class LogLimiter {
  static final int TEXTS_MAX = 100;

  private static final class Seen {
    long loggedNanos;
    long leftOut;
  }

  private final Time time;
  private final long intervalNanos;
  private final Map<String, Seen> texts = new LinkedHashMap<>();

  /** One message of a kind a minute. */
  public static LogLimiter everyMinute(Time time) {
    return new LogLimiter(time, Duration.ofMinutes(1));
  }

  public LogLimiter(Time time, Duration interval) {
    this.time = time;
    this.intervalNanos = interval.toNanos();
  }

  /**
   * Logs the line if it is due.
   *
   * @param text what makes two lines the same
   * @param line gets what to append: nothing, or how many were left out
   * @return whether it was due
   */
  public boolean log(String text, Consumer<String> line) {
    OptionalLong leftOut = admit(text);
    leftOut.ifPresent(count ->
        line.accept(count == 0 ? "" : " (" + count + " more times since it was last logged)"));
    return leftOut.isPresent();
  }

  /** How many were left out since this text was last logged; empty if it must not be logged now. */
  public synchronized OptionalLong admit(String text) {
    long now = time.nanos();
    Seen seen = texts.get(text);
    if (seen == null) {
      if (texts.size() >= TEXTS_MAX) {
        texts.remove(texts.keySet().iterator().next());
      }
      seen = new Seen();
      seen.loggedNanos = now;
      texts.put(text, seen);
      return OptionalLong.of(0);
    }
    if (now - seen.loggedNanos < intervalNanos) {
      seen.leftOut++;
      return OptionalLong.empty();
    }
    long leftOut = seen.leftOut;
    seen.leftOut = 0;
    seen.loggedNanos = now;
    return OptionalLong.of(leftOut);
  }
}
