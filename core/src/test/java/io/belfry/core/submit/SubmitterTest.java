package io.belfry.core.submit;

import static io.belfry.core.node.SmallNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.node.SmallNode;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubmitterTest {
  private static final int TASKS = 200;

  private final AtomicInteger roundTrips = new AtomicInteger();
  private final SplittableRandom random = new SplittableRandom(1);
  private final SmallNode node = new SmallNode(Counting::new);
  private final Submitter submitter = submitter(node.scheduling);

  private final class Counting extends DelegatingStore {
    Counting(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      roundTrips.incrementAndGet();
      return store.commit(commit);
    }

    @Override
    public CompletionStage<List<Entry>> get(Collection<Key> keys) {
      roundTrips.incrementAndGet();
      return store.get(keys);
    }
  }

  /** A loop that has ended: posted steps never run. */
  private record Ended() implements Loop {
    @Override
    public Time time() {
      return Time.system();
    }

    @Override
    public RandomGenerator random() {
      return new SplittableRandom(1);
    }

    @Override
    public void post(Runnable step) {}

    @Override
    public Timer after(Duration delay, Runnable step) {
      return () -> {};
    }
  }

  @AfterEach
  void nothingBroke() {
    node.close();
  }

  private Submitter submitter(Loop loop) {
    return new Submitter(loop, node.store, "node~1", Duration.ofDays(1), 10_000);
  }

  private Submission keyed(String key, String name) {
    Instant now = Time.system().wall();
    Work work = Work.of(name, ExecutorSpec.local("noop"));
    return Submission.of(Task.pending(TaskId.oneOff(now, random), work, Priority.NORMAL, now, now)
        .withKey(key));
  }

  private List<Receipt> submitAll() {
    List<CompletionStage<Receipt>> away = IntStream.range(0, TASKS)
        .mapToObj(i -> submitter.submit(keyed("k" + i, "t")))
        .toList();
    return away.stream().map(SmallNode::await).toList();
  }

  @Test
  void a_batch_that_comes_again_is_recognised_in_a_few_round_trips() {
    List<TaskId> ids =
        submitAll().stream().map(receipt -> ((Receipt.Accepted) receipt).task()).toList();
    roundTrips.set(0);
    assertThat(submitAll())
        .containsExactlyElementsOf(
            ids.stream().<Receipt>map(Receipt.Repeated::new).toList());
    assertThat(roundTrips).hasValueLessThan(TASKS / 5);
  }

  @Test
  void what_is_new_in_a_batch_that_comes_again_is_taken_in() {
    assertThat(await(submitter.submit(keyed("k3", "other")))).isInstanceOf(Receipt.Accepted.class);
    List<Receipt> receipts = submitAll();
    assertThat(receipts.get(3)).isInstanceOf(Receipt.Conflict.class);
    assertThat(receipts.stream().filter(Receipt.Accepted.class::isInstance)).hasSize(TASKS - 1);
  }

  @Test
  void a_record_of_a_key_that_cannot_be_read_fails_its_caller_alone() {
    node.put(Keys.dedup("key:bad"), new byte[] {99, 1, 2, 3});
    var bad = submitter.submit(keyed("bad", "t"));
    var good = submitter.submit(keyed("good", "t"));
    assertThatThrownBy(() -> await(bad)).isInstanceOf(DamagedRecordException.class);
    assertThat(await(good)).isInstanceOf(Receipt.Accepted.class);
  }

  @Test
  void keys_that_end_in_half_a_character_are_refused_and_do_not_fail_those_beside_them() {
    var good = submitter.submit(keyed("good", "t"));
    for (String half : List.of("a\ud83d", "a\ud83e", "\udc00a", "\ud83d\ud83d\ude00")) {
      assertThatThrownBy(() -> await(submitter.submit(keyed(half, "t"))))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("idempotencyKey must not contain an unpaired surrogate")
          .hasMessageContaining("\\ud");
    }
    assertThat(await(good)).isInstanceOf(Receipt.Accepted.class);
    assertThat(await(submitter.submit(keyed("a\ud83d\ude00", "t"))))
        .isInstanceOf(Receipt.Accepted.class);
    assertThat(await(submitter.submit(keyed("a\ud83e\ude00", "t"))))
        .isInstanceOf(Receipt.Accepted.class);
  }

  /** Its key just fits, and that of its expiry does not: only building the commit shows that. */
  @Test
  void what_no_store_takes_fails_its_caller_and_not_those_of_the_same_commit() {
    Instant now = Time.system().wall();
    Work work = Work.of("t", ExecutorSpec.local("noop"));
    Task task = Task.pending(TaskId.oneOff(now, random), work, Priority.NORMAL, now, now);
    var caught = new ArrayList<CompletionStage<Receipt>>();
    var all = new CompletableFuture<Void>();
    node.scheduling.post(() -> {
      // In one turn of the loop, so that all of them are gathered into one commit.
      for (int i = 0; i < 10; i++) {
        caught.add(submitter.submit(keyed("before " + i, "t")));
      }
      caught.add(
          submitter.submit(new Submission(task, Optional.of("x".repeat(Limits.KEY_BYTES_MAX)))));
      for (int i = 0; i < 10; i++) {
        caught.add(submitter.submit(keyed("behind " + i, "t")));
      }
      all.complete(null);
    });
    await(all);
    assertThatThrownBy(() -> await(caught.get(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("A key's name must have 1 to " + Limits.KEY_BYTES_MAX);
    caught.remove(10);
    assertThat(caught.stream().map(SmallNode::await)).allMatch(Receipt.Accepted.class::isInstance);
    assertThat(await(submitter.submit(keyed("later", "t")))).isInstanceOf(Receipt.Accepted.class);
  }

  @Test
  void who_submits_while_the_loop_ends_is_told_when_it_has() {
    Submitter ending = submitter(new Ended());
    var late = ending.submit(keyed("late", "t")).toCompletableFuture();
    assertThat(late).isNotDone();
    ending.stop();
    assertThat(late.exceptionNow()).isInstanceOf(StoreException.Closed.class);
    assertThat(ending.submit(keyed("later", "t")).toCompletableFuture().exceptionNow())
        .isInstanceOf(StoreException.Closed.class);
  }
}
