package io.belfry.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.model.time.Time;
import io.belfry.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CommitPipelineTest {
  private static final int FULL = 100;

  @Test
  void little_is_gathered_and_only_what_fills_a_commit_leaves_beside_another() {
    try (var deliver = Executors.newSingleThreadExecutor();
        var store = new MemoryStore(Time.system(), deliver);
        var loop = new ThreadLoop("lanes", Time.system(), new SplittableRandom(1), broke -> {})) {
      var settler = new RetryingCommitter(loop, store, () -> true, why -> {});
      var lanes =
          new CommitPipeline(loop, settler, lane -> Keys.news("n~1", lane), new byte[0], () -> {});
      assertThat(lanes.isOpen(0, FULL)).as("nothing waits").isFalse();
      assertThat(lanes.isOpen(1, FULL)).isTrue();

      List<CommitChain> taken = new ArrayList<>(List.of(lanes.take()));
      assertThat(lanes.isIdle()).isFalse();
      assertThat(lanes.isOpen(FULL - 1, FULL)).as("it waits for more").isFalse();
      while (lanes.isOpen(FULL, FULL)) {
        taken.add(lanes.take());
      }
      assertThat(taken).hasSize(CommitPipeline.COUNT).doesNotHaveDuplicates();

      taken.reversed().forEach(lanes::giveBack);
      assertThat(lanes.isIdle()).isTrue();
      assertThat(lanes.take()).as("at rest always the same one").isSameAs(taken.getFirst());
    }
  }

  @Test
  void nothing_is_gathered_while_those_that_are_away_will_not_be_answered_soon() {
    try (var deliver = Executors.newSingleThreadExecutor();
        var store = new MemoryStore(Time.system(), deliver);
        var loop = new ThreadLoop("lanes", Time.system(), new SplittableRandom(1), broke -> {})) {
      var settler = new RetryingCommitter(loop, store, () -> true, why -> {});
      var lanes =
          new CommitPipeline(loop, settler, lane -> Keys.news("n~1", lane), new byte[0], () -> {});
      CommitChain first = lanes.take();
      lanes.stall(first);
      assertThat(lanes.isOpen(1, FULL)).isTrue();
      assertThat(lanes.isIdle()).isFalse();

      CommitChain second = lanes.take();
      assertThat(lanes.isOpen(1, FULL)).as("this one is answered soon").isFalse();
      lanes.stall(second);
      lanes.stall(lanes.take());
      assertThat(lanes.isStalled()).isFalse();
      lanes.stall(lanes.take());
      assertThat(lanes.isStalled()).isTrue();
      assertThat(lanes.isOpen(FULL, FULL)).isFalse();

      lanes.giveBack(first);
      assertThat(lanes.isStalled()).isFalse();
      assertThat(lanes.isOpen(1, FULL)).isTrue();
    }
  }

  @Test
  void whoever_is_woken_several_times_in_one_turn_sends_once_behind_it() throws Exception {
    try (var deliver = Executors.newSingleThreadExecutor();
        var store = new MemoryStore(Time.system(), deliver);
        var loop = new ThreadLoop("lanes", Time.system(), new SplittableRandom(1), broke -> {})) {
      var settler = new RetryingCommitter(loop, store, () -> true, why -> {});
      var said = new ArrayList<String>();
      var lanes = new CommitPipeline(
          loop, settler, lane -> Keys.news("n~1", lane), new byte[0], () -> said.add("sent"));
      var done = new CountDownLatch(1);
      loop.post(() -> {
        lanes.wake();
        lanes.wake();
        said.add(lanes.isIdle() && !lanes.isAtRest() ? "about to send" : "at rest");
        loop.post(() -> {
          said.add(lanes.isAtRest() ? "at rest" : "about to send");
          done.countDown();
        });
      });
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(said).containsExactly("about to send", "sent", "at rest");
    }
  }
}
