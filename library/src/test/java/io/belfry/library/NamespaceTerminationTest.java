package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.belfry.core.event.Happening.TaskCancelled;
import io.belfry.core.event.Happening.TaskFailed;
import io.belfry.core.submit.NamespaceEndedException;
import io.belfry.model.job.Job;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A terminated namespace has lost no accepted work, with concurrent calls and crashes at any point. */
@Timeout(120)
class NamespaceTerminationTest {
  private static final Duration LEASE = Duration.ofSeconds(1);
  /** More than the number of store calls of a termination. */
  private static final int CALLS_MAX = 20;

  @TempDir
  Path directory;

  private final RecordedEvents heard = new RecordedEvents();
  /** Whether a task that would fail keeps running until its node is closed. */
  private volatile boolean hangs;

  private int namespaces;
  private Belfry belfry;

  /** New work, which a terminated namespace must not have accepted. */
  enum New {
    TASK,
    JOB,
    RETRY
  }

  @BeforeEach
  void open() {
    belfry = another();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Belfry another() {
    namespaces++;
    return Belfry.open(
        Settings.defaults()
            .store("embedded:" + directory)
            .namespace("n" + namespaces)
            .node("n")
            .handlerGrace(Duration.ofMillis(1)),
        opened -> {
          heard.from(opened);
          opened.handle("fails", attempt -> {
            if (hangs) {
              new CountDownLatch(1).await();
            }
            throw new IllegalStateException("as it must");
          });
        });
  }

  private static NamespaceTermination end(DelegatingStore through) {
    var calls = new Calls(Duration.ofSeconds(20), Time.system(), Optional::empty);
    return new NamespaceTermination(calls, through, LEASE);
  }

  /** Runs a step just before the response to a store call is delivered. */
  private static class Interrupted extends DelegatingStore {
    private final AtomicInteger number = new AtomicInteger();
    private final int at;
    private final Runnable step;

    Interrupted(Belfry belfry, int at, Runnable step) {
      super(belfry.parts.state);
      this.at = at;
      this.step = step;
    }

    private <T> CompletionStage<T> then(CompletionStage<T> answer) {
      if (number.getAndIncrement() == at) {
        answer.toCompletableFuture().join();
        step.run();
      }
      return answer;
    }

    @Override
    public CompletionStage<Page> scan(Scan scan) {
      return then(super.scan(scan));
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      return then(super.commit(commit));
    }
  }

  private static Submission later() {
    return Submission.local("nobody").in(Duration.ofHours(1));
  }

  private static Job job() {
    return Job.named("nightly").local("nobody").build();
  }

  /** A failed task, which can be retried. */
  private TaskId failed() {
    hangs = false;
    TaskId id = belfry.submit(Submission.local("fails").retry(RetryPolicy.NONE));
    heard.await(TaskFailed.class, id);
    return id;
  }

  /** Whether it was accepted. */
  private boolean add(New what, Optional<TaskId> failed) {
    try {
      switch (what) {
        case TASK -> belfry.submit(later());
        case JOB -> belfry.jobs().save(job());
        case RETRY -> {
          hangs = true; // a retry that has ended is not left over
          belfry.retry(failed.orElseThrow());
        }
      }
      return true;
    } catch (NamespaceEndedException e) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothing_is_accepted_that_is_not_found(New what) {
    int ended = 0;
    for (int at = 0; at < CALLS_MAX && ended < 2; at++) {
      Optional<TaskId> failed = what == New.RETRY ? Optional.of(failed()) : Optional.empty();
      var accepted = new boolean[1];
      var store = new Interrupted(belfry, at, () -> accepted[0] = add(what, failed));
      Remaining left = end(store).endIfEmpty();
      if (accepted[0]) {
        assertThat(left)
            .as("accepted before the answer of call %d", at)
            .isNotEqualTo(Remaining.NOTHING);
        assertThat(add(New.TASK, failed)).as("it takes in new work again").isTrue();
      } else {
        assertThat(left).isEqualTo(Remaining.NOTHING);
        ended++;
      }
      belfry.close();
      belfry = another();
    }
    assertThat(ended).isEqualTo(2);
  }

  @Test
  void what_has_ended_takes_in_nothing_new_and_answers_what_was_asked_before() {
    TaskId failed = failed();
    var known = Submission.local("fails").key("order-1").retry(RetryPolicy.NONE);
    TaskId before = belfry.submit(known);
    heard.await(TaskFailed.class, before);
    TaskId retried = belfry.retry(before);
    heard.await(TaskFailed.class, retried);
    assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.NOTHING);
    for (New what : New.values()) {
      assertThat(add(what, Optional.of(failed))).as("%s", what).isFalse();
    }
    assertThat(belfry.submit(known)).as("the same submission again").isEqualTo(before);
    assertThat(belfry.retry(before)).as("the same retry again").isEqualTo(retried);
    assertThatThrownBy(() -> belfry.submit(later()))
        .hasMessageContaining("is being deleted")
        .hasMessageContaining("nothing was done");
    assertThat(belfry.submitAll(List.of(later(), known, later())))
        .satisfiesExactly(
            one -> assertThat(one).isInstanceOf(Submitted.Refused.class),
            one -> assertThat(one).isEqualTo(new Submitted.Repeated(before)),
            one -> assertThat(one).isInstanceOf(Submitted.Refused.class));
    assertThat(belfry.endIfEmpty()).as("again").isEqualTo(Remaining.NOTHING);
  }

  @Test
  void what_is_in_use_goes_on() {
    TaskId task = belfry.submit(later());
    assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.TASKS);
    belfry.cancel(task, "not needed");
    heard.await(TaskCancelled.class, task);
    Job unused = belfry.jobs().save(job());
    assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.JOBS);
    assertThat(add(New.TASK, Optional.empty())).isTrue();
  }

  /** A process killed before the termination leaves a namespace that accepts work again; one killed after it leaves a terminated namespace. */
  @Test
  void a_process_that_dies_on_the_way_loses_nothing_and_blocks_nothing() {
    for (int at = 0; at < CALLS_MAX; at++) {
      var dying = new Interrupted(belfry, at, () -> {
        throw new StoreException.Closed();
      });
      try {
        assertThat(end(dying).endIfEmpty()).isEqualTo(Remaining.NOTHING);
        return; // it needs no more calls than that
      } catch (StoreException.Closed killed) {
        boolean accepts = isAccepting();
        boolean ended = !accepts && isEndedForGood();
        assertThat(accepts || ended).as("killed at the answer of call %d", at).isTrue();
        if (ended) {
          assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.NOTHING);
        } else {
          assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.TASKS);
        }
      }
      belfry.close();
      belfry = another();
    }
    fail("an end needs more than %d calls", CALLS_MAX);
  }

  /** The lease of the mark and a margin. */
  private boolean isAccepting() {
    try {
      Awaitility.await().atMost(LEASE.multipliedBy(3)).until(() -> add(New.TASK, Optional.empty()));
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private boolean isEndedForGood() {
    return belfry.endIfEmpty() == Remaining.NOTHING && !add(New.TASK, Optional.empty());
  }

  @Test
  void those_who_end_it_at_once_do_not_open_it_for_each_other() throws Exception {
    for (int at = 0; at < CALLS_MAX; at++) {
      var second = new Remaining[1];
      var first = new Interrupted(belfry, at, () -> second[0] = belfry.endIfEmpty());
      assertThat(end(first).endIfEmpty()).isEqualTo(Remaining.NOTHING);
      assertThat(second[0]).isIn(Remaining.NOTHING, null);
      assertThat(add(New.TASK, Optional.empty())).isFalse();
      if (second[0] == null) {
        return; // it needs no more calls than that
      }
      belfry.close();
      belfry = another();
    }
    fail("an end needs more than %d calls", CALLS_MAX);
  }

  @Test
  void many_who_add_while_it_is_ended_lose_nothing() throws Exception {
    for (int round = 0; round < 4; round++) {
      var adding = new ArrayList<Future<Integer>>();
      Remaining left;
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var begin = new CyclicBarrier(9);
        for (int i = 0; i < 8; i++) {
          adding.add(threads.submit(() -> {
            begin.await();
            int accepted = 0;
            for (int n = 0; n < 5; n++) {
              accepted += add(New.TASK, Optional.empty()) ? 1 : 0;
            }
            return accepted;
          }));
        }
        begin.await();
        left = belfry.endIfEmpty();
      }
      int accepted = 0;
      for (Future<Integer> each : adding) {
        accepted += each.get();
      }
      assertThat(left)
          .as("%d were accepted", accepted)
          .isEqualTo(accepted > 0 ? Remaining.TASKS : Remaining.NOTHING);
      belfry.close();
      belfry = another();
    }
  }
}
