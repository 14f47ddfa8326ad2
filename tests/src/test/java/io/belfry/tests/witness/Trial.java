package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.tests.witness.LedgerLine.What;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * One run: engines, three schedulers, three workers, jobs that fire every second, faults one after the other until enough was due; then
 * quiet, and the verdict.
 *
 * <p>Threading: confined to the driver.
 */
final class Trial implements Fault.Run, AutoCloseable {
  private static final Duration CLOCK_ERROR = Duration.ofMillis(100);
  private static final Duration SETTLING = Duration.ofMinutes(2);

  private final Time time = Time.system();
  private final Engine engine;
  private final LedgerServer ledger = new LedgerServer();
  private final Fleet fleet;
  private final Client client;
  private final RandomGenerator random;

  Trial(String engineName, int schedulers, int workers, long seed) {
    random = new SplittableRandom(seed);
    engine = Engine.start(engineName);
    fleet = new Fleet(engine, ledger.port(), schedulers, workers);
    client = new Client(engine);
  }

  /** What came of it. */
  record Outcome(Verdict verdict, int faults, int elections, Lateness lateness) {
    String text() {
      return verdict.text()
          + "faults %d · terms %d · start − due: %s%n".formatted(faults, elections, lateness);
    }
  }

  /** How much later than due the first start of each fire was. */
  record Lateness(Duration p50, Duration p99, Duration max) {
    static Lateness of(List<LedgerLine> lines) {
      var seen = new java.util.HashSet<String>();
      List<Duration> all = lines.stream()
          .filter(line -> line.what() == What.START && line.task().contains("@"))
          .filter(line -> seen.add(line.task()))
          .map(line -> Duration.between(
              Instant.parse(line.task().substring(line.task().indexOf('@') + 1)), line.at()))
          .sorted()
          .toList();
      return all.isEmpty()
          ? new Lateness(Duration.ZERO, Duration.ZERO, Duration.ZERO)
          : new Lateness(all.get(all.size() / 2), all.get(all.size() * 99 / 100), all.getLast());
    }

    @Override
    public String toString() {
      return "p50 %,d ms, p99 %,d ms, max %,d ms"
          .formatted(p50.toMillis(), p99.toMillis(), max.toMillis());
    }
  }

  Outcome run(int jobs, int fires, List<Fault> faults, Duration between) {
    awaitLeader();
    List<Promise> promises = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      promises.add(client.save("tick-" + i, 1, 0));
    }
    Instant end = time.wall().plusSeconds((long) Math.ceil((double) fires / jobs) + 1);
    int struck = 0;
    while (time.wall().isBefore(end)) {
      pause(between);
      if (!faults.isEmpty() && time.wall().isBefore(end)) {
        faults.get(struck % faults.size()).strike(this);
        struck++;
      }
    }
    fleet.all().forEach(fleet::start);
    awaitLeader();
    promises.replaceAll(client::retire);
    settle();
    Verdict verdict = Checker.check(ledger.lines(), promises, client.told(), CLOCK_ERROR);
    return new Outcome(verdict, struck, client.elections(), Lateness.of(ledger.lines()));
  }

  private void settle() {
    long deadline = time.nanos() + SETTLING.toNanos();
    while (!client.unfinished().isEmpty() && time.nanos() - deadline < 0) {
      pause(Duration.ofMillis(250));
    }
  }

  @Override
  public Fleet fleet() {
    return fleet;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Optional<String> leader() {
    return client.leader();
  }

  @Override
  public Optional<String> awaitLeader() {
    await("somebody leads")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> client.leader().isPresent());
    return client.leader();
  }

  /** Time passes: that is what a fault needs. */
  @Override
  public void pause(Duration length) {
    long until = time.nanos() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - time.nanos()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    fleet.close();
    client.close();
    ledger.close();
    engine.close();
  }
}
