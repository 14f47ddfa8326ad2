package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Only from the dead is anything taken: not from a worker that is known at that moment, and from nobody before a new leader has waited as
 * long as a lease lasts, because many leases that end at once say nothing about who is alive. But what a worker did not name when it said
 * that it begins nothing more, it never will begin.
 *
 * <p>Threading: confined to its world.
 */
final class TakingLaw implements EngineEar {
  private final World world;
  private final Simulation simulation;
  private final Map<String, WorkerRecord> lastSaid = new HashMap<>();
  private long leadsSince;

  TakingLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  /** When the newest term began. */
  long leadsSince() {
    return leadsSince;
  }

  /** Judged as it happens: only then does the engine show who is there. */
  @Override
  public void applied(EngineStep step) {
    for (Commit commit : step.commits()) {
      commit.writes().forEach(this::hear);
      if (commit.writes().stream().anyMatch(write -> write.key().equals(Keys.FENCE))) {
        leadsSince = world.now();
      } else if (commit.guards().stream().anyMatch(Guard.Holds.class::isInstance)) {
        written(commit).forEach(task -> judge(step, task));
      }
    }
  }

  private void hear(Write write) {
    if (write instanceof Write.Put put && put.key().space().equals(Keys.WORKERS)) {
      lastSaid.put(put.key().text(), Records.worker(put.value()));
    }
  }

  private static List<Task> written(Commit commit) {
    var tasks = new ArrayList<Task>();
    for (Write write : commit.writes()) {
      if (write instanceof Write.Put put && put.key().space().equals(Keys.TASKS)) {
        tasks.add(Records.task(put.value()));
      } else if (write instanceof Write.Put put && put.key().space().equals(Keys.FRESH_HISTORY)) {
        tasks.addAll(Records.endedBatch(put.value()).tasks());
      }
    }
    return tasks;
  }

  private void judge(EngineStep step, Task after) {
    EngineStep.Slot slot = step.before(Keys.task(after.id()));
    if (slot == null
        || after.history().lost() <= Records.task(slot.value()).history().lost()) {
      return;
    }
    Optional<Laws.HolderView> holder = CoreScenario.DECODER.holder(slot.value(), slot.revision());
    String worker = holder.map(Laws.HolderView::worker).orElse("nobody");
    if (simulation.engine().state().slots().containsKey(Keys.worker(worker))) {
      throw world.violation(
          "I4 nothing is taken from who is there",
          step.by() + " took " + after.id() + " from " + worker);
    }
    long waited = world.now() - leadsSince;
    if (waited < SimTime.atLeast(LeaderSettings.DEFAULT.workerLease()).toNanos()
        && !holder.map(view -> neverBegins(after.id(), view)).orElse(false)) {
      throw world.violation(
          "I4 a new leader waits before it takes",
          step.by() + " took " + after.id() + " from " + worker + " after " + waited + " ns");
    }
  }

  private boolean neverBegins(TaskId task, Laws.HolderView holder) {
    WorkerRecord said = lastSaid.get(holder.worker());
    return said != null
        && said.leaving()
        && !said.held().contains(WorkerRecord.mark(task, new Token(holder.token())));
  }
}
