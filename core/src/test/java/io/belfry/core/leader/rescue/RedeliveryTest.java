package io.belfry.core.leader.rescue;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Records;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Feed;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is told a second time to a worker whose heartbeats do not name it. */
class RedeliveryTest {
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  /** Everything is passed on but, while it is deaf, the changes of one space. */
  private static final class Deaf extends DelegatingStore {
    private final Space space;
    final List<TaskId> toldToRun = new ArrayList<>();
    boolean deaf;

    Deaf(Store store, Space space) {
      super(store);
      this.space = space;
    }

    @Override
    public Watch watch(Feed feed, long after, Watcher watcher) {
      return store.watch(feed, after, new Watcher() {
        @Override
        public void opened(long revision) {
          watcher.opened(revision);
        }

        @Override
        public void changed(long revision, List<Change> changes) {
          boolean lost =
              deaf && changes.stream().anyMatch(each -> space.equals(each.key().space()));
          if (!lost) {
            watcher.changed(revision, changes);
          }
        }

        @Override
        public void compacted() {
          watcher.compacted();
        }
      });
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      return store.commit(commit).whenComplete((outcome, failure) -> {
        if (outcome instanceof Outcome.Done) {
          commit.writes().forEach(this::note);
        }
      });
    }

    private void note(Write write) {
      if (write instanceof Write.Put put && put.key().space().equals(Keys.INBOXES)) {
        for (Inbox.Order order : Records.inbox(put.value()).orders()) {
          if (order instanceof Inbox.Order.Run run) {
            toldToRun.add(run.task().id());
          }
        }
      }
    }
  }

  @Test
  void is_nothing_that_has_ended_even_if_the_leader_has_not_heard_of_it() {
    var leaders = new ArrayList<Deaf>();
    var crew = new StepCrew(store -> {
      leaders.add(new Deaf(store, Keys.REPORTS));
      return leaders.getFirst();
    });
    crew.deaf(5);
    crew.loop.run(A_WHILE);
    leaders.getFirst().deaf = true;
    TaskId task = crew.submit(StepCrew.work());
    crew.loop.run(Duration.ofMillis(10));
    crew.launched.getFirst().succeed();
    crew.loop.run(A_WHILE);
    assertThat(leaders.getFirst().toldToRun).containsExactly(task);
    assertThat(crew.launched).hasSize(1);
  }

  @Test
  void is_all_that_got_lost_within_a_few_heartbeats() {
    var crew = new StepCrew();
    var inbox = new Deaf(crew.memory, Keys.INBOXES);
    var worker = crew.worker(inbox, WorkerSettings.of("w", 3_000), true);
    crew.loop.run(A_WHILE);
    inbox.deaf = true;
    for (int i = 0; i < 2_000; i++) {
      crew.submit(StepCrew.work());
    }
    crew.loop.run(Duration.ofMillis(10));
    assertThat(crew.launched).isEmpty();
    inbox.deaf = false;
    crew.loop.run(A_WHILE);
    assertThat(crew.launched).hasSize(2_000);
    assertThat(worker.holding()).isEqualTo(2_000);
  }
}
