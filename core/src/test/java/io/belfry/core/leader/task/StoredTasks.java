package io.belfry.core.leader.task;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskLife;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Tasks as a leader writes them, for tests that need one in a store. Threading: stateless. */
public final class StoredTasks {
  private StoredTasks() {}

  /** Writes it, whatever stands there, and says at which revision. */
  static long put(Store store, Task task) {
    Outcome outcome = store
        .commit(Commit.when().put(Keys.task(task.id()), Records.encode(task)).build())
        .toCompletableFuture()
        .join();
    return ((Outcome.Done) outcome).revision();
  }

  /** The same task, given to that worker. */
  public static Task assigned(Task pending, String worker, Instant now, RandomGenerator random) {
    var assign = new Command.Assign(pending.token().next(), worker);
    var accepted = (Decision.Accepted) TaskLife.decide(pending, assign, now, random);
    return TaskLife.apply(pending, accepted.events());
  }
}
