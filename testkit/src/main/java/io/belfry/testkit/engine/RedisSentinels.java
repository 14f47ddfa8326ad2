package io.belfry.testkit.engine;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A primary, two replicas and three sentinels. Replicas and sentinels reach the first primary only through a proxy that can
 * be cut. A client can also connect to it directly, and so be isolated with it.
 *
 * <pre>
 *   client ───────────────────▶ first primary ◀─ proxy ── replica, replica, sentinel, sentinel, sentinel
 *        direct                                  cut
 * </pre>
 *
 * <p>Threading: confined to the test.
 */
public final class RedisSentinels implements AutoCloseable {
  private static final String NAME = "belfry";
  private static final int QUORUM = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RedisServer first;
  private final TcpProxy wire;
  private final List<RedisServer> replicas;
  private final List<Integer> sentinelPorts = new ArrayList<>();
  private final List<ServerProcess> sentinels = new ArrayList<>();

  private RedisSentinels(RedisServer first, TcpProxy wire, List<RedisServer> replicas) {
    this.first = first;
    this.wire = wire;
    this.replicas = replicas;
  }

  /** Options for every server, as on the command line. Returns once the sentinels know all servers. */
  public static RedisSentinels start(String... options) {
    TcpProxy wire = TcpProxy.toNobodyYet();
    // As a replica it must be known by the proxy as well: with two addresses it would become a
    // replica
    // of itself.
    var firstOptions = new ArrayList<>(List.of(options));
    firstOptions.addAll(
        List.of("--replica-announce-ip", "127.0.0.1", "--replica-announce-port", "" + wire.port()));
    RedisServer first = RedisServer.start(firstOptions.toArray(String[]::new));
    wire.lead(first.port());
    var replicaOptions = new ArrayList<>(List.of(options));
    replicaOptions.addAll(List.of("--replicaof", "127.0.0.1", "" + wire.port()));
    List<RedisServer> replicas = new ArrayList<>();
    var all = new RedisSentinels(first, wire, replicas);
    try {
      for (int i = 0; i < 2; i++) {
        replicas.add(RedisServer.start(replicaOptions.toArray(String[]::new)));
      }
      await("the replicas are in step").atMost(PATIENCE).until(() -> first.replicasInStep() == 2);
      all.startSentinels();
      return all;
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private void startSentinels() {
    for (int port : Ports.free(3)) {
      sentinelPorts.add(port);
      Path directory = ServerProcess.freshDirectory("sentinel");
      Path config = write(directory, port);
      sentinels.add(ServerProcess.launch(
          "sentinel",
          List.of(
              Binaries.find("redis-server", "redis-server").toString(),
              config.toString(),
              "--sentinel"),
          directory,
          ServerProcess.accepts(port)));
    }
    sentinels.forEach(ServerProcess::awaitReady);
    await("the sentinels know everybody")
        .atMost(PATIENCE)
        .until(() -> sentinelPorts.stream()
            .allMatch(port -> "2".equals(master(port, "num-slaves"))
                && "2".equals(master(port, "num-other-sentinels"))
                && "master".equals(master(port, "flags"))));
  }

  private Path write(Path directory, int port) {
    try {
      return Files.writeString(directory.resolve("sentinel.conf"), """
          port %d
          bind 127.0.0.1
          dir %s
          sentinel monitor %s 127.0.0.1 %d %d
          sentinel down-after-milliseconds %s 2000
          sentinel failover-timeout %s 6000
          sentinel parallel-syncs %s 2
          """.formatted(
              port, directory, NAME, wire.port(), QUORUM, NAME, NAME, NAME));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write a sentinel's configuration.", e);
    }
  }

  private static String master(int port, String field) {
    List<String> said =
        RawRedisClient.ask(port, Optional.empty(), List.of("SENTINEL", "MASTER", NAME));
    int at = said.indexOf(field);
    return at < 0 ? "" : said.get(at + 1);
  }

  public String uri() {
    return sentinelPorts.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(",", "redis+sentinel://", "/" + NAME));
  }

  /** The server that was the primary at the start. */
  public RedisServer first() {
    return first;
  }

  /** The port at which replicas and sentinels know the first server. */
  public int wirePort() {
    return wire.port();
  }

  public List<RedisServer> replicas() {
    return replicas;
  }

  /** Cuts replicas and sentinels off from the first primary; direct clients stay connected. */
  public void cutOffFirst() {
    wire.cut();
  }

  /** New connections to the first primary go through this port; replicas and sentinels keep their connections. */
  public void leadFirstThrough(int port) {
    wire.lead(port);
  }

  public void mend() {
    wire.mend();
  }

  /** Returns once the sentinels agree on another primary than the first. */
  public RedisServer awaitFailover() {
    await("the sentinels promote another")
        .atMost(PATIENCE)
        .until(() -> promoted().isPresent());
    return promoted().orElseThrow();
  }

  /** The same, repeating an action meanwhile, at least once. */
  public RedisServer awaitFailoverWhile(Runnable meanwhile) {
    await("the sentinels promote another").atMost(PATIENCE).until(() -> {
      meanwhile.run();
      return promoted().isPresent();
    });
    return promoted().orElseThrow();
  }

  private Optional<RedisServer> promoted() {
    return replicas.stream()
        .filter(each ->
            sentinelPorts.stream().allMatch(port -> master(port, "port").equals("" + each.port())))
        .filter(each -> each.info("replication", "role").equals("master"))
        .findFirst();
  }

  @Override
  public void close() {
    sentinels.forEach(ServerProcess::close);
    replicas.forEach(RedisServer::close);
    wire.close();
    first.close();
  }
}
