package io.belfry.core.record;

import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A worker that is there, under its lease; rewritten by every heartbeat.
 *
 * @param id configured id, {@code ~} and the incarnation: another process is another worker
 * @param queues the queues it serves; empty for all
 * @param capacity how many attempts it holds at most, assigned ones included; less the places that code still has which was given up
 * @param accepting false while it drains, leaves or is unhealthy: nothing new is given to it
 * @param leaving it begins nothing more that it does not hold already, and is gone when that has ended; never taken back
 * @param beat counts its heartbeats
 * @param held the {@linkplain #mark marks} of the attempts that it holds: what is missing from several beats never arrived
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
   * Whether it is given nothing new because somebody said so, or because it leaves. What was on its way by then is still begun unless it
   * leaves, and the word may be taken back: nothing may be concluded from this.
   */
  public boolean isDraining() {
    return healthy && !accepting;
  }

  /**
   * How busy its machine is.
   *
   * @param cpu share of the machine in use, 0 to 1
   * @param memory share of the heap in use, 0 to 1
   * @param network bytes a second, in and out, since the heartbeat before; 0 where the system does not tell
   * @param connections outbound connections that its executors have open
   */
  public record Load(double cpu, double memory, double network, int connections) {
    public static final Load NONE = new Load(0, 0, 0, 0);
  }

  /**
   * Stands for an attempt in {@link #held}. A token alone does not: all tasks that one commit gave out have the same.
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
