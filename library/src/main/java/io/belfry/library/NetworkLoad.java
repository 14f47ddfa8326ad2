package io.belfry.library;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Measures the network traffic of this machine in bytes per second, without loopback. Linux only.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class NetworkLoad {
  static final Path LINUX = Path.of("/proc/net/dev");

  private static final int RECEIVED = 0;
  private static final int SENT = 8;
  private static final int BYTES_MAX = 1 << 20;

  private final Path table;
  private final Time time;
  private OptionalLong before = OptionalLong.empty();
  private long at;
  private double rate;

  NetworkLoad(Path table, Time time) {
    this.table = table;
    this.time = time;
  }

  /** The average since the previous call; 0 at the first call, and where the system does not provide it. */
  double bytesPerSecond() {
    OptionalLong now = total();
    long then = at;
    at = time.nanos();
    if (now.isEmpty() || before.isEmpty()) {
      rate = 0;
    } else if (at > then) {
      // A device that disappeared, or whose counter was reset, must not look like a burst.
      long more = Math.max(0, now.getAsLong() - before.getAsLong());
      rate = more / ((at - then) / (double) Duration.ofSeconds(1).toNanos());
    }
    before = now;
    return rate;
  }

  private OptionalLong total() {
    try (var in = Files.newInputStream(table)) {
      return sum(new String(in.readNBytes(BYTES_MAX), java.nio.charset.StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty(); // not Linux, or not readable: the value is only a hint
    }
  }

  /** Sums up lines such as {@code eth0: 1296 16 0 0 0 0 0 0 1040 12 0 …}. */
  private static OptionalLong sum(String text) {
    long sum = 0;
    for (String line : text.lines().toList()) {
      int colon = line.indexOf(':');
      if (colon < 0
          || line.substring(0, colon).isBlank()
          || line.substring(0, colon).strip().equals("lo")) {
        continue;
      }
      String[] figures = line.substring(colon + 1).strip().split(" +", -1);
      if (figures.length > SENT) {
        sum += Long.parseUnsignedLong(figures[RECEIVED]) + Long.parseUnsignedLong(figures[SENT]);
      }
    }
    return OptionalLong.of(sum);
  }
}
