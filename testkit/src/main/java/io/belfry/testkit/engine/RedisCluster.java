package io.belfry.testkit.engine;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A Redis Cluster of three masters; the first may have replicas.
 *
 * <p>Threading: confined to the test.
 */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final int NODES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<RedisServer> nodes = new ArrayList<>();
  private final List<RedisServer> replicas = new ArrayList<>();
  private final int nodeTimeoutMillis;

  private RedisCluster(int nodeTimeoutMillis) {
    this.nodeTimeoutMillis = nodeTimeoutMillis;
  }

  /** Without replicas. Returns once all nodes agree. */
  public static RedisCluster start() {
    return start(0, 15_000);
  }

  /**
   * Returns once all nodes agree and the replicas are in sync.
   *
   * @param replicas of the first master, see {@link #nodes()}
   * @param nodeTimeoutMillis how long a node must be unreachable before the others replace it
   */
  public static RedisCluster start(int replicas, int nodeTimeoutMillis) {
    var cluster = new RedisCluster(nodeTimeoutMillis);
    try {
      cluster.form(replicas);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void form(int replicasOfFirst) {
    List<Integer> buses = Ports.free(NODES + replicasOfFirst);
    for (int i = 0; i < buses.size(); i++) {
      (i < NODES ? nodes : replicas).add(startNode(buses.get(i)));
    }
    for (int i = 0; i < NODES; i++) {
      int from = SLOTS * i / NODES;
      int to = SLOTS * (i + 1) / NODES - 1;
      nodes.get(i).ask("CLUSTER", "ADDSLOTSRANGE", "" + from, "" + to);
      nodes.get(i).ask("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
    }
    List<RedisServer> all = all();
    for (int i = 1; i < all.size(); i++) {
      nodes
          .getFirst()
          .ask("CLUSTER", "MEET", "127.0.0.1", "" + all.get(i).port(), "" + buses.get(i));
    }
    awaitAgreement();
    String first = id(nodes.getFirst());
    replicas.forEach(each -> each.ask("CLUSTER", "REPLICATE", first));
    await("the replicas are in step")
        .atMost(PATIENCE)
        .until(() -> replicasOnline(nodes.getFirst()) == replicasOfFirst);
    awaitAgreement();
  }

  private RedisServer startNode(int bus) {
    return RedisServer.start(
        Optional.empty(),
        List.of(
            "--cluster-enabled",
            "yes",
            "--cluster-port",
            "" + bus,
            "--cluster-node-timeout",
            "" + nodeTimeoutMillis),
        List.of());
  }

  private List<RedisServer> all() {
    var all = new ArrayList<>(nodes);
    all.addAll(replicas);
    return all;
  }

  private void awaitAgreement() {
    await("the cluster has formed")
        .atMost(PATIENCE)
        .until(() -> all().stream().allMatch(this::knowsAll));
  }

  /** The number of replicas that acknowledge writes of a server. */
  public static int replicasOnline(RedisServer server) {
    return (int) server
        .ask("INFO", "replication")
        .getFirst()
        .lines()
        .filter(line -> line.matches("slave\\d+:.*state=online.*"))
        .count();
  }

  private boolean knowsAll(RedisServer node) {
    String info = node.ask("CLUSTER", "INFO").getFirst();
    return info.contains("cluster_state:ok")
        && info.contains("cluster_known_nodes:" + all().size());
  }

  public String uri() {
    return nodes.stream()
        .map(each -> "127.0.0.1:" + each.port())
        .collect(Collectors.joining(",", "redis+cluster://", ""));
  }

  public List<RedisServer> nodes() {
    return nodes;
  }

  /** The replicas of the first master. */
  public List<RedisServer> replicas() {
    return replicas;
  }

  /** The first namespace of the form name plus number whose slot the first master owns. */
  public String namespaceOfFirst(String name) {
    for (int i = 0; ; i++) {
      if (ownerOf("{belfry:" + name + i + "}m").equals(nodes.getFirst())) {
        return name + i;
      }
    }
  }

  public RedisServer ownerOf(String key) {
    int slot = slotOf(key);
    return nodes.get(owner(slot));
  }

  private int slotOf(String key) {
    return Integer.parseInt(nodes.getFirst().ask("CLUSTER", "KEYSLOT", key).getFirst());
  }

  private int owner(int slot) {
    for (int i = 0; i < NODES; i++) {
      List<String> answer = nodes.get(i).ask("CLUSTER", "COUNTKEYSINSLOT", "" + slot);
      if (answer.size() == 1 && ownsSlot(nodes.get(i), slot)) {
        return i;
      }
    }
    throw new IllegalStateException("No node owns slot " + slot + ".");
  }

  private static boolean ownsSlot(RedisServer node, int slot) {
    String myself = node.ask("CLUSTER", "NODES")
        .getFirst()
        .lines()
        .filter(line -> line.contains("myself"))
        .findFirst()
        .orElse("");
    return List.of(myself.split(" ", -1)).stream()
        .skip(8)
        .filter(range -> range.matches("\\d+(-\\d+)?"))
        .map(range -> range.split("-", -1))
        .anyMatch(ends ->
            Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]));
  }

  /** Migrates a slot from its owner to the next node, key by key. */
  public Move move(String key) {
    int slot = slotOf(key);
    int from = owner(slot);
    return new Move(slot, nodes.get(from), nodes.get((from + 1) % NODES));
  }

  /** The single steps of a resharding. */
  public final class Move {
    private final int slot;
    private final RedisServer from;
    private final RedisServer to;

    private Move(int slot, RedisServer from, RedisServer to) {
      this.slot = slot;
      this.from = from;
      this.to = to;
    }

    public RedisServer to() {
      return to;
    }

    public void begin() {
      to.ask("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", id(from));
      from.ask("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", id(to));
    }

    /** Migrates at most this many keys; returns how many there were. */
    public int moveKeys(int most) {
      List<String> keys = from.ask("CLUSTER", "GETKEYSINSLOT", "" + slot, "" + most);
      for (String key : keys) {
        from.ask("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", "10000");
      }
      return keys.size();
    }

    public void finish() {
      while (moveKeys(100) > 0) {}
      to.ask("CLUSTER", "SETSLOT", "" + slot, "NODE", id(to));
      from.ask("CLUSTER", "SETSLOT", "" + slot, "NODE", id(to));
      for (RedisServer each : nodes) {
        if (each != from && each != to) {
          each.ask("CLUSTER", "SETSLOT", "" + slot, "NODE", id(to));
        }
      }
    }
  }

  private static String id(RedisServer node) {
    return node.ask("CLUSTER", "MYID").getFirst();
  }

  @Override
  public void close() {
    all().forEach(RedisServer::close);
  }
}
