package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.store.etcd.proto.StatusResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A probe that is not answered says something of the member only if this process was there to hear it. */
@Timeout(60)
class ProbeTest {
  private static final Duration PROBE = Duration.ofMillis(200);
  private static final Timeouts QUICK =
      new Timeouts(Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMillis(20), PROBE);
  private static final StatusResponse LIVES =
      StatusResponse.newBuilder().setLeader(1).setRaftTerm(1).build();

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final ScheduledThreadPoolExecutor network = new ScheduledThreadPoolExecutor(1);
  private final CountDownLatch heldUp = new CountDownLatch(1);

  @AfterEach
  void stopTimers() {
    heldUp.countDown();
    timer.shutdownNow();
    network.shutdownNow();
  }

  private ScriptedChannel network(IntFunction<Object> answers) {
    return new ScriptedChannel(network, PROBE, answers);
  }

  private Link probed(BooleanSupplier inUse, ScriptedChannel... channels) {
    var dialed = List.of(channels).iterator();
    var link = new Link(
        List.of(new Endpoint("one", 1), new Endpoint("other", 1)), endpoint -> dialed.next());
    Time time = Time.system();
    var troubles = new EngineTroubleLog("etcd", "", time, LogLimiter.everyMinute(time));
    new Probe(link, QUICK, timer, time, troubles, inUse, link::leave, () -> {}).start();
    return link;
  }

  @Test
  void a_member_that_is_silent_is_left() {
    Link link =
        probed(() -> true, network(call -> Status.DEADLINE_EXCEEDED), network(call -> LIVES));
    await().atMost(Duration.ofSeconds(10)).until(() -> link.replaced() == 1);
  }

  /** Its answer lies in the socket, and the deadline is what wakes up first. */
  @Test
  void a_process_that_was_held_up_asks_again_before_it_leaves_a_member() throws Exception {
    var first = network(call -> call == 0 ? Status.DEADLINE_EXCEEDED : LIVES);
    Link link = probed(() -> first.calls() > 0 || holdUp(), first, network(call -> LIVES));
    assertThat(heldUp.await(2 * PROBE.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    heldUp.countDown();
    await().atMost(Duration.ofSeconds(10)).until(() -> first.calls() > 3);
    assertThat(link.replaced()).isZero();
  }

  /** From when the first question is asked, the process does nothing but what the network wakes up. */
  private boolean holdUp() {
    timer.execute(() -> {
      try {
        heldUp.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    return true;
  }

  /** Otherwise a machine that is always late would never leave a member that is gone. */
  @Test
  void a_process_that_is_always_late_leaves_a_silent_member_all_the_same() {
    Link link =
        probed(() -> true, network(call -> Status.DEADLINE_EXCEEDED), network(call -> LIVES));
    var unused = timer.scheduleWithFixedDelay(ProbeTest::lag, 0, 1, TimeUnit.MILLISECONDS);
    await().atMost(Duration.ofSeconds(20)).until(() -> link.replaced() == 1);
  }

  /** The timer does one other thing in the time of a probe. */
  private static void lag() {
    var never = new CountDownLatch(1);
    try {
      assertThat(never.await(PROBE.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
