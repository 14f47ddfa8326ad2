package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Write;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A worker takes a task itself only while nobody has it, and only from a queue that is pulled from and not paused. What is switched in
 * the same step as it is taken proves nothing: within a step nobody can tell what came first.
 *
 * <p>Threading: confined to its world.
 */
final class ClaimLaw implements EngineEar {
  private static final String LAW = "I2 a queue is served as was last acknowledged";

  private final World world;
  private final Map<String, QueueRecord> queues = new HashMap<>();

  ClaimLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Commit commit : step.commits()) {
      if (commit.writes().stream().anyMatch(ClaimLaw::isWordOfAClaim)) {
        commit.writes().forEach(write -> check(step, write));
      }
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(Entry entry) && entry.key().space().equals(Keys.QUEUES)) {
        queues.put(entry.key().text(), Records.queue(entry.value()));
      }
    }
  }

  static boolean isWordOfAClaim(Write write) {
    Key key = write.key();
    return key.space().equals(Keys.REPORTS) && key.text().endsWith("/claims");
  }

  private void check(EngineStep step, Write write) {
    if (!(write instanceof Write.Put put) || !put.key().space().equals(Keys.TASKS)) {
      return;
    }
    world.count("claims");
    Task task = Records.task(put.value());
    String queue = task.work().queue();
    boolean switchedHere = step.before(Keys.queue(queue)) != null;
    QueueRecord record = Optional.ofNullable(queues.get(queue)).orElse(QueueRecord.DEFAULT);
    if (!switchedHere && (record.paused() || record.mode() != QueueRecord.Mode.PULL)) {
      throw world.violation(LAW, step.by() + " took " + task.id() + " although " + record);
    }
    EngineStep.Slot before = step.before(put.key());
    if (before == null || !(Records.task(before.value()).state() instanceof TaskState.Pending)) {
      throw world.violation(
          "I3 a worker takes only what waits", step.by() + " took " + task.id() + " from others");
    }
  }
}
