package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Says now and then how far a run is. Threading: told by the driver, speaks on a thread of its own. */
class Progress implements AutoCloseable {
  /** Says nothing. */
  static final Progress SILENT = new Progress();

  void begin(List<Promise> promises, LedgerServer ledger, Fleet fleet) {}

  void struck(Fault fault) {}

  @Override
  public void close() {}

  /** A line every ten seconds. */
  static final class Lines extends Progress {
    private static final int SECONDS = 10;

    private final Time time = Time.system();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().name("progress").daemon().factory());

    @Override
    void begin(List<Promise> promises, LedgerServer ledger, Fleet fleet) {
      long began = time.nanos();
      var unused = thread.scheduleAtFixedRate(
          () -> say(Duration.ofNanos(time.nanos() - began), promises, ledger.count(), fleet),
          SECONDS,
          SECONDS,
          TimeUnit.SECONDS);
    }

    @Override
    synchronized void struck(Fault fault) {
      faults.merge(fault, 1, Integer::sum);
    }

    private synchronized void say(
        Duration elapsed, List<Promise> promises, LedgerServer.Count count, Fleet fleet) {
      long due =
          promises.stream().mapToLong(promise -> promise.dueBefore(time.wall())).sum();
      System.out.printf(
          "%d:%02d · due %,d · begun %,d · run again %,d · faults %s · processes started again %,d%n",
          elapsed.toMinutes(),
          elapsed.toSecondsPart(),
          due,
          count.fires(),
          count.starts() - count.tasks(),
          faults,
          fleet.restarts());
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}
