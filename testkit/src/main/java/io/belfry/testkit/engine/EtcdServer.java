package io.belfry.testkit.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real etcd on loopback: alone, or as a member of an {@link EtcdCluster}.
 *
 * <p>Threading: confined to the test.
 */
public final class EtcdServer implements AutoCloseable {
  private static final String PROGRAM = "etcd";
  private static final String DEBIAN_PACKAGE = "etcd-server";

  private final EtcdOptions options;
  private final int clientPort;
  private final ServerProcess process;

  private EtcdServer(EtcdOptions options, int clientPort, ServerProcess process) {
    this.options = options;
    this.clientPort = clientPort;
    this.process = process;
  }

  /** The ports of one member. */
  record MemberPorts(int client, int peer, int health) {
    static List<MemberPorts> free(int members) {
      List<Integer> ports = Ports.free(3 * members);
      var all = new ArrayList<MemberPorts>();
      for (int i = 0; i < members; i++) {
        all.add(new MemberPorts(ports.get(3 * i), ports.get(3 * i + 1), ports.get(3 * i + 2)));
      }
      return all;
    }
  }

  public static EtcdServer start() {
    return start(EtcdOptions.DEFAULT);
  }

  /** Returns once the server is ready. */
  public static EtcdServer start(EtcdOptions options) {
    MemberPorts ports = MemberPorts.free(1).getFirst();
    EtcdServer server = launch("m0", options, ports, "m0=http://127.0.0.1:" + ports.peer, 50, 300);
    server.process.awaitReady();
    return server;
  }

  /** Does not wait, because members become ready only together. */
  static EtcdServer launch(
      String name,
      EtcdOptions options,
      MemberPorts ports,
      String cluster,
      int heartbeatMillis,
      int electionMillis) {
    Path directory = ServerProcess.freshDirectory("etcd");
    String client = options.scheme() + "://127.0.0.1:" + ports.client;
    String peer = "http://127.0.0.1:" + ports.peer;
    var command = new ArrayList<String>(List.of(
        Binaries.find(PROGRAM, DEBIAN_PACKAGE).toString(),
        "--name=" + name,
        "--data-dir=" + directory.resolve("data"),
        "--listen-client-urls=" + client,
        "--advertise-client-urls=" + client,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=" + cluster,
        "--initial-cluster-token=belfry-" + ports.peer,
        "--listen-metrics-urls=http://127.0.0.1:" + ports.health,
        "--heartbeat-interval=" + heartbeatMillis,
        "--election-timeout=" + electionMillis,
        "--quota-backend-bytes=" + options.quotaBytes(),
        "--auto-compaction-mode=periodic",
        "--auto-compaction-retention=10m",
        "--logger=zap"));
    options.tls().ifPresent(tls -> command.addAll(tls.serverFlags()));
    if (!options.fsync()) {
      command.add("--unsafe-no-fsync");
    }
    command.addAll(options.flags());
    var health = new EtcdGateway("http://127.0.0.1:" + ports.health);
    ServerProcess process =
        ServerProcess.launch("etcd " + name, command, directory, health::isHealthy);
    return new EtcdServer(options, ports.client, process);
  }

  public int port() {
    return clientPort;
  }

  /** The URI of the server, in the format of the store. */
  public String uri() {
    return (options.tls().isPresent() ? "etcds" : "etcd") + "://127.0.0.1:" + clientPort;
  }

  /** kill -9, SIGSTOP, restart on the same data. */
  public ServerProcess process() {
    return process;
  }

  /** The JSON gateway of etcd, for operations of a test that bypass the store. Not with TLS. */
  public EtcdGateway gateway() {
    return new EtcdGateway("http://127.0.0.1:" + clientPort);
  }

  /** Stops the server, copies its data, and starts it again. */
  public void backup(Path to) {
    process.stop();
    copy(data(), to);
    process.start();
  }

  /** Kills the server and restores the backup, while clients are running and with the same cluster id. */
  public void restore(Path from) {
    process.kill();
    try (Stream<Path> files = Files.walk(data())) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not delete the data of etcd.", e);
    }
    copy(from, data());
    process.start();
  }

  private Path data() {
    return process.directory().resolve("data");
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not copy " + from + " to " + to + ".", e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
