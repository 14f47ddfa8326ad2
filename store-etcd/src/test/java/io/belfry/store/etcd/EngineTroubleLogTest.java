package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.belfry.store.LogLimiter;
import io.belfry.testkit.ManualTime;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong, and however often, an operator reads a few lines a minute. */
class EngineTroubleLogTest {
  private static final Failure LOST =
      new Failure(Failure.Kind.UNKNOWN, Status.UNAVAILABLE.withDescription("gone"), "a:1");

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final LogLimiter limiter = LogLimiter.everyMinute(time);
  private final EngineTroubleLog troubles =
      new EngineTroubleLog("etcd", "Requests fail.", time, limiter);

  @Test
  void a_connection_that_comes_and_goes_is_logged_once_a_minute_with_its_end() {
    try (Logged logged = Logged.begin()) {
      for (int i = 0; i < 25; i++) { // 50 s
        comeAndGo();
      }
      assertThat(logged.lines(Level.WARN, "etcd: ")).hasSize(1);
      assertThat(logged.lines(Level.INFO, "etcd: etcd serves again")).hasSize(1);
      for (int i = 0; i < 10; i++) {
        comeAndGo();
      }
      assertThat(logged.lines(Level.WARN, "etcd: "))
          .hasSize(2)
          .last()
          .asString()
          .contains("(29 more times");
      assertThat(logged.lines(Level.INFO, "etcd: etcd serves again")).hasSize(2);
    }
  }

  @Test
  void parts_with_one_limiter_say_the_same_thing_once() {
    try (Logged logged = Logged.begin()) {
      troubles.failed(LOST, null);
      new EngineTroubleLog("etcd", "Requests fail.", time, limiter).failed(LOST, null);
      assertThat(logged.lines(Level.WARN, "etcd: ")).hasSize(1);
    }
  }

  private void comeAndGo() {
    troubles.failed(LOST, null);
    time.advance(Duration.ofSeconds(1));
    troubles.answered();
    time.advance(Duration.ofSeconds(1));
    troubles.look();
  }
}
