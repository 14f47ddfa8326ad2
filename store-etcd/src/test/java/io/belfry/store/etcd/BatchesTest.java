package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.store.etcd.proto.KeyValue;
import io.belfry.store.etcd.proto.RangeResponse;
import io.belfry.store.etcd.proto.ResponseHeader;
import io.belfry.store.etcd.proto.ResponseOp;
import io.belfry.store.etcd.proto.TxnResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A batch is complete by its deadline, in however many parts it has to be sent; what is called full was not applied. */
@Timeout(60)
class BatchesTest {
  private static final Space SPACE = Space.plain("s");
  private static final Duration REQUEST = Duration.ofMillis(500);
  private static final Timeouts QUICK =
      new Timeouts(Duration.ofMillis(100), REQUEST, Duration.ofMillis(50), Duration.ofMillis(200));
  private static final long CLUSTER = 7;

  private final Time time = Time.system();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final AtomicLong numbers = new AtomicLong(17);

  @AfterEach
  void stopTimer() {
    timer.shutdownNow();
  }

  /** Batches on an etcd that answers every transaction but the first, which asks for the epoch, as it is told. */
  private Batches batches(Duration delay, IntFunction<Object> answers) {
    var channel =
        new ScriptedChannel(timer, delay, call -> call == 0 ? epoch() : answers.apply(call));
    var link = new Link(List.of(new Endpoint("scripted", 1)), endpoint -> channel);
    var calls = new Calls(link, time, timer, QUICK, Optional.empty(), LogLimiter.everyMinute(time));
    var names = new Names("/belfry/ns/");
    var eras = new EpochGuard(calls, names);
    eras.settle().join();
    return new Batches(calls, eras, names, new BatchMarks(calls, eras, numbers::getAndIncrement));
  }

  private static TxnResponse epoch() {
    return TxnResponse.newBuilder()
        .setHeader(ResponseHeader.newBuilder().setClusterId(CLUSTER).setRevision(5))
        .setSucceeded(true)
        .addResponses(range("1 " + Long.toHexString(CLUSTER), 3))
        .addResponses(range("", 5))
        .build();
  }

  private static ResponseOp range(String value, long revision) {
    RangeResponse.Builder range = RangeResponse.newBuilder()
        .addKvs(KeyValue.newBuilder()
            .setValue(ByteString.copyFromUtf8(value))
            .setModRevision(revision));
    return ResponseOp.newBuilder().setResponseRange(range).build();
  }

  private static List<Commit> commits(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Commit.when().put(key(SPACE, "k" + i), bytes("v"), 99).build())
        .toList();
  }

  private static Throwable failure(CompletableFuture<?> answer) throws Exception {
    try {
      answer.get(30, TimeUnit.SECONDS);
      throw new AssertionError("was done");
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  @Test
  void a_batch_that_is_sent_in_halves_is_complete_by_its_deadline() throws Exception {
    Status dead = Status.NOT_FOUND.withDescription("etcdserver: requested lease not found");
    Batches batches = batches(Duration.ofMillis(100), call -> dead);
    long asked = time.nanos();
    CompletableFuture<List<Outcome>> answer =
        batches.send(commits(32), asked + REQUEST.multipliedBy(2).toNanos());
    answer.handle((outcomes, failure) -> 0).get(30, TimeUnit.SECONDS);
    assertThat(Duration.ofNanos(time.nanos() - asked)).isLessThan(REQUEST.multipliedBy(3));
  }

  @Test
  void a_batch_whose_epoch_is_looked_for_in_vain_is_complete_by_its_deadline() throws Exception {
    TxnResponse otherEpoch = TxnResponse.newBuilder()
        .setHeader(ResponseHeader.newBuilder().setClusterId(CLUSTER).setRevision(5))
        .setSucceeded(false)
        .build();
    Status unavailable = Status.UNAVAILABLE.withDescription("etcdserver: leader changed");
    Batches batches = batches(Duration.ofMillis(100), call -> call == 1 ? otherEpoch : unavailable);
    long asked = time.nanos();
    CompletableFuture<List<Outcome>> answer =
        batches.send(commits(1), asked + REQUEST.dividedBy(2).toNanos());
    assertThat(failure(answer)).isInstanceOf(StoreException.Unavailable.class);
    assertThat(Duration.ofNanos(time.nanos() - asked)).isLessThan(REQUEST);
  }

  /** etcd refuses for want of space what it would have to put, and what it has just applied. */
  @Nested
  class Without_space {
    private static final Status NO_SPACE =
        Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: mvcc: database space exceeded");
    private static final Status COMPACTED = Status.OUT_OF_RANGE.withDescription(
        "etcdserver: mvcc: required revision has been compacted");

    /** @param looks what the tip shows, one after the other */
    private Throwable whatIsHeard(List<Commit> batch, Object... looks) throws Exception {
      Batches batches = batches(Duration.ZERO, call -> call == 1 ? NO_SPACE : looks[call - 2]);
      return failure(batches.send(batch, time.nanos() + REQUEST.toNanos()));
    }

    private static TxnResponse tip(long revision, long number) {
      return TxnResponse.newBuilder()
          .setHeader(ResponseHeader.newBuilder().setClusterId(CLUSTER).setRevision(90))
          .setSucceeded(true)
          .addResponses(ResponseOp.newBuilder()
              .setResponseRange(RangeResponse.newBuilder()
                  .addKvs(KeyValue.newBuilder()
                      .setModRevision(revision)
                      .setValue(
                          new BatchMarks.Mark(new EtcdEpoch(1, CLUSTER, 3), 0, number).value()))))
          .build();
    }

    @Test
    void a_batch_whose_mark_is_the_tip_may_have_been_applied() throws Exception {
      assertThat(whatIsHeard(commits(2), tip(80, 17)))
          .isInstanceOf(StoreException.Unknown.class)
          .hasMessageContaining("quota");
    }

    @Test
    void a_batch_whose_mark_others_have_overwritten_may_have_been_applied() throws Exception {
      assertThat(whatIsHeard(commits(2), tip(82, 1), tip(81, 2), tip(80, 17)))
          .isInstanceOf(StoreException.Unknown.class);
    }

    @Test
    void a_batch_that_left_no_mark_since_it_was_sent_was_not_applied() throws Exception {
      assertThat(whatIsHeard(commits(2), tip(82, 1), tip(81, 2), tip(4, 3)))
          .isInstanceOf(StoreException.Full.class);
    }

    @Test
    void a_batch_that_could_not_be_looked_for_may_have_been_applied() throws Exception {
      assertThat(whatIsHeard(commits(2), tip(82, 1), COMPACTED))
          .isInstanceOf(StoreException.Unknown.class);
      TxnResponse otherEpoch = tip(82, 1).toBuilder().setSucceeded(false).build();
      assertThat(whatIsHeard(commits(2), otherEpoch)).isInstanceOf(StoreException.Unknown.class);
    }

    @Test
    void deletes_are_not_sent_again_beside_puts_that_may_have_been_applied() throws Exception {
      List<Commit> batch = List.of(
          Commit.when().put(key(SPACE, "a"), bytes("v")).build(),
          Commit.when().delete(key(SPACE, "b")).build());
      assertThat(whatIsHeard(batch, tip(80, 17))).isInstanceOf(StoreException.Unknown.class);
    }
  }
}
