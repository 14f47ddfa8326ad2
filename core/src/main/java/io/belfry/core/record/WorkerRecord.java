package io.belfry.core.record;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A worker that is there, under its lease; rewritten by every heartbeat.
 *
 * @param id configured id, {@code ~} and the incarnation: another process is another worker
 * @param queues the queues it serves; empty for all
 * @param capacity how many attempts it holds at most, assigned ones included
 * @param accepting false while it drains or is unhealthy: nothing new is given to it
 * @param beat counts its heartbeats
 * @param held the tokens of the attempts that it holds: what is missing from two beats never arrived
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
    Instant since,
    Instant heartbeat,
    long beat,
    Load load,
    List<Long> held) {

  /**
   * How busy its machine is.
   *
   * @param cpu share of the machine in use, 0 to 1
   * @param memory share of the heap in use, 0 to 1
   * @param network bytes a second, in and out
   * @param connections open outbound connections
   */
  public record Load(double cpu, double memory, double network, int connections) {
    public static final Load NONE = new Load(0, 0, 0, 0);
  }
}
