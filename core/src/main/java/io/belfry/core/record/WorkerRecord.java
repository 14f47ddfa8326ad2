package io.belfry.core.record;

import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A registered worker, under its lease; rewritten by every heartbeat.
 *
 * @param id configured id, {@code ~} and the incarnation: another process is another worker
 * @param queues the queues it serves; empty for all
 * @param capacity how many attempts it may hold, including assigned ones; minus the slots of code that was given up but still runs
 * @param accepting false while it is drained, leaves or is unhealthy: nothing new is assigned to it
 * @param leaving it starts only attempts that it already holds, and unregisters when these have ended; final
 * @param beat counts its heartbeats
 * @param held the {@linkplain #mark marks} of the attempts that it holds: one missing from several heartbeats never arrived
 */
public record WorkerRecord(
    String id,
    String name,
    String address,
    Map<String, String> labels,
    Set<String> queues,
    int weight,
    int capacity,
    boolean accepting,
    boolean healthy,
    boolean leaving,
    Instant since,
    Instant heartbeat,
    long beat,
    Load load,
    List<Long> held) {

  /**
   * Whether nothing new is assigned to it because it was drained, or because it leaves. Tasks assigned before are still started unless it
   * leaves, and a drain may be undone: no decision may be based on this.
   */
  public boolean isDraining() {
    return healthy && !accepting;
  }

  /**
   * The load of its machine.
   *
   * @param cpu share of the machine in use, 0 to 1
   * @param memory share of the heap in use, 0 to 1
   * @param network bytes a second, in and out, since the previous heartbeat; 0 if unknown
   * @param connections outbound connections that its executors have open
   */
  public record Load(double cpu, double memory, double network, int connections) {
    public static final Load NONE = new Load(0, 0, 0, 0);
  }

  /**
   * A hash that identifies an attempt in {@link #held}. A token alone does not: all tasks assigned by one commit have the same.
   */
  public static long mark(TaskId task, Token token) {
    long mark = token.value();
    String id = task.toString();
    for (int i = 0; i < id.length(); i++) {
      mark = mark * 31 + id.charAt(i);
    }
    return mark & Long.MAX_VALUE;
  }
}
