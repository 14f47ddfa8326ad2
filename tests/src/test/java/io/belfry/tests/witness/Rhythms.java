package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rhythms of a run's jobs. Threading: stateless. */
final class Rhythms {
  static final Set<Integer> ALL = range(0, 59, 1);

  static final Rhythm EVERY_SECOND = new Rhythm.Clockwork("* * * * * *", ZoneOffset.UTC, ALL, ALL);

  private Rhythms() {}

  private static Set<Integer> range(int from, int to, int step) {
    return IntStream.rangeClosed(from, to)
        .filter(each -> (each - from) % step == 0)
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  static Set<Integer> seconds(int step) {
    return range(0, 59, step);
  }

  /** At each multiple of so many seconds, which must divide a minute. */
  static Rhythm everySeconds(int step) {
    return new Rhythm.Clockwork("*/" + step + " * * * * *", ZoneOffset.UTC, ALL, seconds(step));
  }

  /** Those of a run beside every second, by the names of their jobs. */
  static Map<String, Rhythm> others(Instant now) {
    Instant second = Instant.ofEpochSecond(now.getEpochSecond());
    var all = new LinkedHashMap<String, Rhythm>();
    all.put("thirds", new Rhythm.Clockwork("*/3 * * * * *", ZoneOffset.UTC, ALL, range(0, 59, 3)));
    all.put(
        "sevenths", new Rhythm.Clockwork("5-40/7 * * * * *", ZoneOffset.UTC, ALL, range(5, 40, 7)));
    // Half an hour from UTC: due only in the second half of UTC's hours.
    all.put(
        "kolkata",
        new Rhythm.Clockwork(
            "*/4 0-9,10,11,12-29 * * * *",
            ZoneId.of("Asia/Kolkata"),
            range(0, 29, 1),
            range(0, 59, 4)));
    // Three quarters from UTC: odd minutes there are even ones here.
    all.put(
        "kathmandu",
        new Rhythm.Clockwork(
            "1/2 1/2 * * * *", ZoneId.of("Asia/Kathmandu"), range(1, 59, 2), range(1, 59, 2)));
    all.put("steady", new Rhythm.Steady(Duration.ofSeconds(2), second.plusSeconds(3)));
    all.put("once", new Rhythm.Once(second.plusSeconds(20)));
    return all;
  }
}
