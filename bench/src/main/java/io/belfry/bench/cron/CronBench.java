package io.belfry.bench.cron;

import io.belfry.model.cron.Cron;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Computes fire after fire, as the leader does, and starts over after ten years. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CronBench {
  private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");
  private static final long TEN_YEARS = 3653L * 24 * 60 * 60;

  @Param({
    "0 30 2 * * *",
    "0 */5 * * * *",
    "*/5 * * * * *",
    "0 0 9-17 * * MON-FRI",
    "0 0 3 1,15 * *",
    "0 30 2 LW * *",
    "0 0 0 29 2 *"
  })
  public String expression = "";

  @Param({"UTC", "America/New_York"})
  public String zone = "";

  @SuppressWarnings("NullAway.Init") // set before each trial
  private Cron cron;

  private long at;

  @Setup(Level.Trial)
  public void parse() {
    cron = Cron.parse(expression).in(ZoneId.of(zone));
    at = START.getEpochSecond();
  }

  @Benchmark
  public long next() {
    at = cron.nextEpochSecond(at);
    if (at > START.getEpochSecond() + TEN_YEARS) {
      at = START.getEpochSecond();
    }
    return at;
  }
}
