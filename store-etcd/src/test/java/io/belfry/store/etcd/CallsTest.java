package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import io.belfry.store.RefusalReason;
import io.belfry.store.StoreException;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every call completes by its deadline, whatever its connection does, and says truly whether it may have been carried out. */
@Timeout(60)
class CallsTest {
  private static final Timeouts QUICK = new Timeouts(
      Duration.ofMillis(100),
      Duration.ofMillis(400),
      Duration.ofMillis(50),
      Duration.ofMillis(200));
  private static final long PATIENCE_SECONDS = 10;
  private static final Status TOO_MANY =
      Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: too many requests");

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final FaultyChannel channel = new FaultyChannel();
  private Link link = new Link(List.of(new Endpoint("faulty", 1)), endpoint -> channel);

  @AfterEach
  void stopTimer() {
    timer.shutdownNow();
  }

  private Calls calls() {
    return new Calls(
        link, Time.system(), timer, QUICK, Optional.empty(), LogLimiter.everyMinute(Time.system()));
  }

  private static CompletableFuture<TxnResponse> ask(Calls calls) {
    return calls.ask(KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance(), Repeat.IF_NOT_SENT);
  }

  private static StoreException failure(CompletableFuture<?> answer) throws Exception {
    try {
      answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("answered by a channel that never answers");
    } catch (ExecutionException e) {
      return Calls.surface(Objects.requireNonNull(e.getCause()));
    }
  }

  @ParameterizedTest
  @EnumSource(FaultyChannel.Step.class)
  void a_call_completes_though_the_connection_throws(FaultyChannel.Step step) throws Exception {
    channel.failAt(step);
    assertThat(failure(ask(calls()))).isInstanceOf(StoreException.Unavailable.class);
    assertThat(channel.calls()).isPositive();
  }

  @Test
  void a_call_that_is_given_up_before_it_starts_completes() throws Exception {
    Calls calls = calls();
    channel.beforeStart(() -> {
      calls.elected(); // gives up after QUICK.probeEvery what is under way now
      var afterwards = new CompletableFuture<Boolean>();
      var unused = timer.schedule(() -> afterwards.complete(true), 100, TimeUnit.MILLISECONDS);
      assertThat(afterwards.join()).isTrue();
    });
    assertThat(failure(ask(calls))).isInstanceOf(StoreException.Unavailable.class);
  }

  @Test
  void a_call_whose_end_is_never_announced_completes_soon_after_its_deadline() throws Exception {
    CompletableFuture<TxnResponse> answer = ask(calls());
    assertThat(failure(answer)).isInstanceOf(StoreException.class);
  }

  @Test
  void closing_completes_what_is_under_way_and_what_comes_later() {
    Calls calls = calls();
    CompletableFuture<TxnResponse> before = ask(calls);
    calls.close();
    assertThat(before).isCompletedExceptionally();
    assertThatThrownBy(() -> ask(calls).join()).hasCauseInstanceOf(StoreException.Closed.class);
  }

  /** Over a connection that works, as far as anybody can see. */
  private Calls calls(ManagedChannel... working) {
    var dialed = List.of(working).iterator();
    link = new Link(
        List.of(new Endpoint("one", 1), new Endpoint("other", 1)), endpoint -> dialed.next());
    return new Calls(
        link, Time.system(), timer, QUICK, Optional.empty(), LogLimiter.everyMinute(Time.system()));
  }

  private static CompletableFuture<TxnResponse> ask(Calls calls, Duration patience) {
    return calls.ask(
        KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance(), Repeat.IF_NOT_SENT, patience);
  }

  /** It says that this process was held up, and nothing of the member, which others are just talking to. */
  @Test
  void a_deadline_that_passed_before_the_call_left_cuts_no_line() throws Exception {
    var scripted = new ScriptedChannel(
        timer, Duration.ofMillis(100), call -> TxnResponse.getDefaultInstance());
    Calls calls = calls(scripted, channel);
    CompletableFuture<TxnResponse> underWay = ask(calls, Duration.ofSeconds(5));
    assertThat(failure(ask(calls, Duration.ofMillis(-1))))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(underWay.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
    assertThat(link.replaced()).isZero();
    assertThat(scripted.isShutdown()).isFalse();
  }

  /** etcd refuses before it proposes, so that nothing was done. */
  @Test
  void what_etcd_has_no_room_for_now_is_asked_again_in_a_moment() throws Exception {
    var scripted = new ScriptedChannel(
        timer, Duration.ZERO, call -> call < 2 ? TOO_MANY : TxnResponse.getDefaultInstance());
    assertThat(ask(calls(scripted), Duration.ofSeconds(5)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isNotNull();
    assertThat(scripted.calls()).isEqualTo(3);
    assertThat(link.replaced()).as("the member answers").isZero();
  }

  @Test
  void an_etcd_that_has_no_room_for_long_is_an_outage_with_that_reason_and_is_not_pressed()
      throws Exception {
    var scripted = new ScriptedChannel(timer, Duration.ZERO, call -> TOO_MANY);
    StoreException failure = failure(ask(calls(scripted), Duration.ofSeconds(1)));
    assertThat(failure).isInstanceOf(StoreException.Unavailable.class);
    assertThat(failure).hasMessageContaining("etcd has more requests than it takes in");
    assertThat(RefusalReason.of(failure).isOfEngine()).isTrue();
    assertThat(scripted.calls()).isBetween(3, 8);
  }
}
