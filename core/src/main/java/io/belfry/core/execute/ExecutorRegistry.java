package io.belfry.core.execute;

import io.belfry.model.Check;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The executors of a worker, by type. Threading: immutable. */
public final class ExecutorRegistry {
  private static final int TYPE_CHARS_MAX = 32;

  private final Map<String, Executor> byType;

  private ExecutorRegistry(Map<String, Executor> byType) {
    this.byType = byType;
  }

  public static ExecutorRegistry of(Collection<? extends Executor> executors) {
    var byType = new TreeMap<String, Executor>();
    for (Executor executor : executors) {
      String type = Check.name("executor.type", executor.type(), TYPE_CHARS_MAX);
      if (byType.put(type, executor) != null) {
        throw Check.refusal(
            "executor.type",
            type,
            "must be registered once, because a task names its executor by type alone",
            "Remove one of the two, or give it another type.");
      }
    }
    return new ExecutorRegistry(byType);
  }

  public Set<String> types() {
    return Set.copyOf(byType.keySet());
  }

  Executor find(String type) throws AttemptException {
    Executor executor = byType.get(type);
    if (executor == null) {
      throw AttemptException.rejected(
          "executor.type must be one of "
              + String.join(", ", byType.keySet()) + " on this worker, but was \"" + type
              + "\". Register that executor on every worker that serves the task's queue, or correct the type.");
    }
    return executor;
  }
}
