package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.Executor;
import io.belfry.core.record.WorkerRecord;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import io.belfry.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatTest {
  private static final String TABLE = """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
          lo: 999999 1 0 0 0 0 0 0 999999 1 0 0 0 0 0 0
        eth0: %d 16 0 0 0 0 0 0 %d 12 0 0 0 0 0 0
      """;

  @TempDir
  Path directory;

  private static final class Connected implements Executor {
    @Override
    public String type() {
      return "wire";
    }

    @Override
    public int connections() {
      return 7;
    }

    @Override
    public Result execute(AttemptContext attempt) {
      return Result.OK;
    }
  }

  private static final class Broken implements Executor {
    @Override
    public String type() {
      return "broken";
    }

    @Override
    public int connections() {
      throw new IllegalStateException("cannot count");
    }

    @Override
    public Result execute(AttemptContext attempt) {
      return Result.OK;
    }
  }

  @Test
  void network_is_told_in_bytes_a_second_without_the_loopback() throws IOException {
    var time = new ManualTime(Instant.EPOCH);
    Path table = directory.resolve("dev");
    Files.writeString(table, TABLE.formatted(1000, 500));
    var network = new NetworkLoad(table, time);
    assertThat(network.bytesPerSecond()).isZero();
    time.advance(Duration.ofSeconds(2));
    Files.writeString(table, TABLE.formatted(4000, 1500));
    assertThat(network.bytesPerSecond()).isEqualTo(2000);
    time.advance(Duration.ofSeconds(1));
    Files.writeString(table, TABLE.formatted(0, 0));
    assertThat(network.bytesPerSecond()).isZero();
  }

  @Test
  void a_system_that_does_not_tell_is_no_error() throws IOException {
    var time = new ManualTime(Instant.EPOCH);
    assertThat(new NetworkLoad(directory.resolve("nothing"), time).bytesPerSecond())
        .isZero();
    Path odd = directory.resolve("odd");
    Files.writeString(odd, "eth0: many few 0 0 0 0 0 0 some 0\n:::\n\u0000");
    var network = new NetworkLoad(odd, time);
    assertThat(network.bytesPerSecond()).isZero();
    assertThat(network.bytesPerSecond()).isZero();
  }

  @Test
  void connections_are_those_of_all_executors_that_can_count() {
    var network = new NetworkLoad(directory.resolve("nothing"), new ManualTime(Instant.EPOCH));
    var load = new MachineLoad(
        network, new ConnectionCount(List.of(new Connected(), new Broken(), new Connected())));
    Awaitility.await().atMost(RecordedEvents.LONG).until(() -> load.get().connections() == 14);
    WorkerRecord.Load told = load.get();
    assertThat(told.cpu()).isBetween(0.0, 1.0);
    assertThat(told.memory()).isBetween(0.0, 1.0);
  }

  @Test
  void an_executor_that_hangs_when_it_is_asked_costs_the_worker_nothing() {
    var hanging = new Hanging();
    Settings settings = Settings.defaults()
        .store("embedded:" + directory.resolve("data"))
        .node("n")
        .workerHeartbeat(Duration.ofMillis(100))
        .workerLease(Duration.ofSeconds(2))
        .executor(hanging);
    try (Belfry belfry = Belfry.open(settings)) {
      assertThat(hanging.awaitAsked()).isTrue();
      Instant hangs = Time.system().wall();
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.workers().stream()
              .anyMatch(worker -> worker.heartbeat().isAfter(hangs.plusSeconds(4))));
      assertThat(hanging.asked()).isEqualTo(1);
      assertThat(belfry.failure()).isEmpty();
      hanging.release();
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(
              () -> belfry.workers().stream().anyMatch(worker -> worker.load().connections() == 3));
    }
    assertThat(hanging.closed()).isEqualTo(1);
  }

  /** Blocks until it is released. */
  private static final class Hanging implements Executor {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger closings = new AtomicInteger();

    @Override
    public String type() {
      return "hanging";
    }

    @Override
    public int connections() {
      questions.incrementAndGet();
      asked.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return 3;
    }

    @Override
    public Result execute(AttemptContext attempt) {
      return Result.OK;
    }

    @Override
    public void close() {
      closings.incrementAndGet();
    }

    boolean awaitAsked() {
      try {
        return asked.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    void release() {
      released.countDown();
    }

    int asked() {
      return questions.get();
    }

    int closed() {
      return closings.get();
    }
  }

  @Test
  void a_health_check_that_hangs_makes_the_worker_unhealthy_until_it_answers() {
    var hang = new AtomicBoolean(true);
    var release = new CountDownLatch(1);
    var interrupts = new AtomicInteger();
    Settings settings = Settings.defaults()
        .store("embedded:" + directory.resolve("data"))
        .node("n")
        .workerHeartbeat(Duration.ofMillis(100))
        .healthTimeout(Duration.ofMillis(200))
        .healthCheck(() -> {
          while (hang.get()) {
            try {
              release.await();
            } catch (InterruptedException e) {
              interrupts.incrementAndGet(); // and is as deaf as a check can be
            }
          }
          return true;
        });
    try (Belfry belfry = Belfry.open(settings)) {
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.workers().stream()
              .anyMatch(worker -> !worker.healthy() && !worker.accepting()));
      hang.set(false);
      release.countDown();
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() ->
              belfry.workers().stream().anyMatch(worker -> worker.healthy() && worker.accepting()));
    }
  }
}
