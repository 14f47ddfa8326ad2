package io.belfry.store.redis;

import java.util.List;

/**
 * What is asked of a script, and how its answer is read.
 *
 * @param <T> the answer
 */
interface ScriptCall<T> {
  Scripts verb();

  /** Appends what follows the three arguments that all verbs share. */
  void arguments(List<byte[]> into);

  /** Reads the answer, whose first element says that all is well. */
  T read(List<?> reply);
}
