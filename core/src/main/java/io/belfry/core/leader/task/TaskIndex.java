package io.belfry.core.leader.task;

import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All unfinished tasks, by id, by holder and by job.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskIndex {
  private final Map<TaskId, LiveTask> byId = new LinkedHashMap<>();
  private final Map<String, Set<LiveTask>> byHolder = new LinkedHashMap<>();
  private final Map<JobId, Set<LiveTask>> byJob = new LinkedHashMap<>();
  public final LiveCounts counts = new LiveCounts();

  @Nullable
  public LiveTask find(TaskId id) {
    return byId.get(id);
  }

  public int size() {
    return byId.size();
  }

  public Collection<LiveTask> all() {
    return List.copyOf(byId.values());
  }

  /** Tasks of the job that have not ended. */
  public int unfinished(JobId job) {
    return byJob.getOrDefault(job, Set.of()).size();
  }

  public Collection<LiveTask> of(JobId job) {
    return List.copyOf(byJob.getOrDefault(job, Set.of()));
  }

  /** Jobs of which several tasks have not ended. */
  public List<JobId> jobsWithSeveral() {
    return byJob.entrySet().stream()
        .filter(each -> each.getValue().size() > 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  public Set<String> holders() {
    return byHolder.keySet();
  }

  public int held() {
    return byHolder.values().stream().mapToInt(Set::size).sum();
  }

  /** Whether at least so many wait. Costs nothing while there are fewer tasks at all. */
  public boolean areWaiting(int many) {
    return byId.size() >= many && byId.size() - held() >= many;
  }

  public Collection<LiveTask> heldBy(String worker) {
    return List.copyOf(byHolder.getOrDefault(worker, Set.of()));
  }

  void add(LiveTask live) {
    Task task = live.task();
    byId.put(task.id(), live);
    counts.came(task);
    task.id()
        .jobId()
        .ifPresent(job ->
            byJob.computeIfAbsent(job, id -> LinkedHashSet.newLinkedHashSet(1)).add(live));
    index(live, live.holder());
  }

  /** The task is this now. */
  void change(LiveTask live, Task task, long revision) {
    Optional<String> before = live.holder();
    counts.went(live.task());
    counts.came(task);
    live.record(task, revision);
    Optional<String> after = live.holder();
    if (!before.equals(after)) {
      unindex(live, before);
      index(live, after);
    }
  }

  void remove(LiveTask live) {
    if (byId.remove(live.id()) != null) {
      counts.went(live.task());
      unindex(live, live.holder());
      live.task()
          .id()
          .jobId()
          .ifPresent(job -> byJob.computeIfPresent(job, (id, tasks) -> {
            tasks.remove(live);
            return tasks.isEmpty() ? null : tasks;
          }));
    }
  }

  private void index(LiveTask live, Optional<String> holder) {
    holder.ifPresent(
        worker -> byHolder.computeIfAbsent(worker, id -> new LinkedHashSet<>()).add(live));
  }

  private void unindex(LiveTask live, Optional<String> holder) {
    holder.ifPresent(worker -> byHolder.computeIfPresent(worker, (id, tasks) -> {
      tasks.remove(live);
      return tasks.isEmpty() ? null : tasks;
    }));
  }
}
