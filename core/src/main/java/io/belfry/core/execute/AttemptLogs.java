package io.belfry.core.execute;

import io.belfry.model.task.TaskId;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The logs of the attempts that this worker carries out, and of the last ones it carried out, as long as there is room. A task's
 * later attempt takes the place of its earlier one.
 *
 * <p>Threading: safe.
 */
public final class AttemptLogs {
  /** An empty log costs its entry all the same. */
  private static final int ENTRY_CHARS = 200;

  private final long charsMax;
  private final LinkedHashMap<TaskId, AttemptLog> running = new LinkedHashMap<>();
  private final LinkedHashMap<TaskId, AttemptLog> ended = new LinkedHashMap<>();
  private long endedChars;

  /**
   * Without any log yet.
   *
   * @param charsMax what the logs of ended attempts may take together
   */
  public AttemptLogs(long charsMax) {
    this.charsMax = charsMax;
  }

  /** What the task's latest attempt on this worker has logged so far. */
  public synchronized Optional<String> of(TaskId task) {
    AttemptLog log = running.get(task);
    return Optional.ofNullable(log == null ? ended.get(task) : log).map(AttemptLog::text);
  }

  synchronized AttemptLog begin(TaskId task) {
    var log = new AttemptLog();
    running.put(task, log);
    return log;
  }

  synchronized void end(TaskId task, AttemptLog log) {
    if (!running.remove(task, log)) {
      return; // a later attempt of the same task has begun: its log is the one to show
    }
    AttemptLog before = ended.remove(task);
    if (before != null) {
      endedChars -= weight(before);
    }
    ended.put(task, log);
    endedChars += weight(log);
    var oldest = ended.values().iterator();
    while (endedChars > charsMax && oldest.hasNext()) {
      endedChars -= weight(oldest.next());
      oldest.remove();
    }
  }

  private static int weight(AttemptLog log) {
    return ENTRY_CHARS + log.chars();
  }
}
