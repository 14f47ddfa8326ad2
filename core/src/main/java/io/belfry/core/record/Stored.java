package io.belfry.core.record;

import io.belfry.model.task.Task;
import io.belfry.model.task.Token;
import io.belfry.store.Entry;

/** Decodes stored tasks. Threading: stateless. */
public final class Stored {
  private Stored() {}

  /**
   * Decodes a task. The token of an attempt is the revision of the commit that assigned it, which is unknown while writing: so an
   * assigned task gets it here. An assigned task is therefore never rewritten as assigned, except by a new assignment.
   */
  public static Task task(Entry entry) {
    return stamped(Records.task(entry.value()), entry.revision());
  }

  public static Task stamped(Task task, long revision) {
    return task.stamped(new Token(revision));
  }
}
