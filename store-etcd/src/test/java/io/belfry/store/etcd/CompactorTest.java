package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.model.time.Time;
import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An etcd that is away is asked again and again, and logged once a minute. */
@Timeout(60)
class CompactorTest {
  private static final Timeouts QUICK = new Timeouts(
      Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(50));

  private final Time time = Time.system();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

  @AfterEach
  void stopTimer() {
    timer.shutdownNow();
  }

  @Test
  void what_cannot_be_compacted_is_tried_again_and_logged_once_a_minute() {
    FaultyChannel channel = new FaultyChannel().failAt(FaultyChannel.Step.START);
    var members = List.of(new Endpoint("faulty", 1));
    var link = new Link(members, endpoint -> channel);
    var limiter = LogLimiter.everyMinute(time);
    var calls = new Calls(link, time, timer, QUICK, Optional.empty(), limiter);
    var names = new Names("/belfry/ns/");
    var reads = new Reads(calls, new EpochGuard(calls, names), names);
    var alarm = new SpaceAlarm(calls, members, member -> calls, 1 << 20, limiter);
    try (Logged logged = Logged.begin()) {
      new Compactor(calls, reads, alarm, names, time, Duration.ofMillis(120), limiter).start(timer);
      await("ten rounds")
          .atMost(Duration.ofSeconds(30))
          .until(() -> channel.calls() >= 50); // some for each round
      assertThat(logged.lines(Level.WARN, "etcd could not be compacted")).hasSize(1);
      assertThat(logged.lines(Level.WARN, "")).hasSizeLessThanOrEqualTo(2);
    }
  }
}
