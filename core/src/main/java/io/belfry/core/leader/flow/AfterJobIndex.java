package io.belfry.core.leader.flow;

import io.belfry.core.fire.AfterPlan;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.Task;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Which jobs run after which, as far as the watch has delivered. What is decided by it is guarded by the edition, which every change
 * rewrites: so an index that is behind decides nothing.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class AfterJobIndex implements Follower.Sink {
  /** That a job runs after another, since the step that said so. */
  private record Edge(Trigger.After.Outcome on, long since) {}

  /** Something that is still to be started: this job, after the task at this place of its history batch. */
  record Owed(int place, Task end, JobId job) {}

  private final Runnable loaded;
  private final Runnable listener;
  private Map<JobId, TreeMap<JobId, Edge>> followers = new HashMap<>();
  private OptionalLong edition = OptionalLong.empty();
  private Map<JobId, TreeMap<JobId, Edge>> loading = followers;
  private OptionalLong loadingEdition = edition;
  private boolean reading;

  /**
   * An empty index.
   *
   * @param loaded called when all has been read
   * @param listener called then, and whenever another job follows
   */
  public AfterJobIndex(Runnable loaded, Runnable listener) {
    this.loaded = loaded;
    this.listener = listener;
  }

  /** Whether no job runs after any other. */
  boolean isEmpty() {
    return followers.isEmpty();
  }

  /** Whether some job runs after the task's, in whatever way it ended. */
  boolean mayFollow(Task task) {
    return !followers.isEmpty()
        && task.id().jobId().filter(followers::containsKey).isPresent();
  }

  /** What is still to be started after the tasks of a history batch. Jobs that follow only since a later change do not. */
  List<Owed> owed(Entry source, EndedBatch endedBatch) {
    var owed = new ArrayList<Owed>();
    EndedBatch.Progress done = endedBatch.progress();
    long ended = done.ended() == 0 ? source.revision() : done.ended();
    for (int place = done.tasks(); place < endedBatch.tasks().size(); place++) {
      Task end = endedBatch.tasks().get(place);
      if (mayFollow(end)) {
        TreeMap<JobId, Edge> jobs =
            followers.getOrDefault(end.id().jobId().orElseThrow(), new TreeMap<>());
        for (Map.Entry<JobId, Edge> each : jobs.entrySet()) {
          boolean started =
              place == done.tasks() && each.getKey().value().compareTo(done.job()) <= 0;
          Edge edge = each.getValue();
          if (!started && edge.since < ended && AfterPlan.follows(edge.on, end.state())) {
            owed.add(new Owed(place, end, each.getKey()));
          }
        }
      }
    }
    return owed;
  }

  /** Guards what is decided now. */
  Consumer<Commit.Builder> asOfNow() {
    OptionalLong now = edition;
    return commit -> {
      if (now.isPresent()) {
        commit.unchanged(Keys.AFTER_EDITION, now.getAsLong());
      } else {
        commit.absent(Keys.AFTER_EDITION);
      }
    };
  }

  @Override
  public void loading() {
    reading = true;
    loading = new HashMap<>();
    loadingEdition = OptionalLong.empty();
  }

  @Override
  public void put(Entry entry) {
    if (entry.key().equals(Keys.AFTER_EDITION)) {
      if (entry.revision() > loadingEdition.orElse(0)) {
        loadingEdition = OptionalLong.of(entry.revision());
        takeEdition();
      }
      return;
    }
    SafeDecoder.read(entry, each -> Records.outcome(each.value())).ifPresent(on -> {
      TreeMap<JobId, Edge> jobs =
          loading.computeIfAbsent(predecessor(entry.key()), id -> new TreeMap<>());
      Edge known = jobs.get(follower(entry.key()));
      if (known == null || known.since < entry.revision()) {
        jobs.put(follower(entry.key()), new Edge(on, entry.revision()));
        if (!reading) {
          listener.run(); // tasks may have ended since, and their reports came before this
        }
      }
    });
  }

  @Override
  public void deleted(Key key, long revision) {
    TreeMap<JobId, Edge> jobs = loading.get(predecessor(key));
    if (jobs != null) {
      Edge known = jobs.get(follower(key));
      if (known != null && known.since < revision) {
        jobs.remove(follower(key));
      }
      if (jobs.isEmpty()) {
        loading.remove(predecessor(key));
      }
    }
  }

  @Override
  public void loaded() {
    followers = loading;
    reading = false;
    takeEdition();
    loaded.run();
    listener.run();
  }

  private void takeEdition() {
    if (!reading) {
      edition = loadingEdition;
    }
  }

  private static JobId predecessor(Key key) {
    return new JobId(key.text().substring(0, key.text().indexOf('/')));
  }

  private static JobId follower(Key key) {
    return new JobId(key.text().substring(key.text().indexOf('/') + 1));
  }
}
