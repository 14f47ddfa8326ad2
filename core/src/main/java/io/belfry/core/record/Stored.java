package io.belfry.core.record;

import io.belfry.model.task.Task;
import io.belfry.model.task.Token;
import io.belfry.store.Entry;

/** Tasks as they lie in the store. Threading: stateless. */
public final class Stored {
  private Stored() {}

  /**
   * Reads a task. The token of an attempt is the revision of the step that assigned it, which nobody knows while writing it: so an
   * assigned task gets it here. An assigned task is therefore never rewritten as assigned, except by a new assignment.
   */
  public static Task task(Entry entry) {
    return stamped(Records.task(entry.value()), entry.revision());
  }

  public static Task stamped(Task task, long revision) {
    return task.stamped(new Token(revision));
  }
}
