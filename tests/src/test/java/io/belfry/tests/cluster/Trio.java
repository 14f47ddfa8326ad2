package io.belfry.tests.cluster;

import static org.awaitility.Awaitility.await;

import io.belfry.testkit.PrivateFile;
import io.belfry.testkit.engine.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Three servers on one engine, with one admin token from a file.
 *
 * <p>Threading: confined to the test.
 */
final class Trio implements AutoCloseable {
  static final String TOKEN = "bft_a-token-of-the-tests-that-nobody-guesses-0123456789";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path shared = ServerProcess.freshDirectory("trio");
  private final List<ServerNode> nodes = new ArrayList<>();
  private final Rest rest = new Rest(TOKEN);

  Trio(String store) {
    Path token = write(shared.resolve("admin.token"));
    boolean ready = false;
    try {
      for (int i = 1; i <= 3; i++) {
        nodes.add(ServerNode.launch(
            "server",
            "n" + i,
            Map.of("BELFRY_ADMIN_TOKEN_FILE", token.toString(), "BELFRY_NODE_NAME", "n" + i),
            List.of("--store", store, "--port", "0")));
      }
      nodes.forEach(ServerNode::awaitReady);
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  private static Path write(Path file) {
    try {
      return PrivateFile.write(file, TOKEN + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  Path tokenFile() {
    return shared.resolve("admin.token");
  }

  Rest rest() {
    return rest;
  }

  List<ServerNode> running() {
    return nodes.stream().filter(node -> node.process().isRunning()).toList();
  }

  List<ServerNode> all() {
    return List.copyOf(nodes);
  }

  /** Who leads, as this node says; empty if it knows nobody, or the one it knows does not run any more. */
  Optional<ServerNode> leader(ServerNode asked) {
    String id =
        rest.get(asked.url() + Rest.NS + "/cluster").body().path("leader").asString("");
    return running().stream().filter(node -> id.startsWith(node.name() + "~")).findFirst();
  }

  ServerNode awaitLeader() {
    await("somebody leads")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> leader(running().getFirst()).isPresent());
    return leader(running().getFirst()).orElseThrow();
  }

  @Override
  public void close() {
    rest.close();
    nodes.forEach(ServerNode::close);
    try {
      Files.deleteIfExists(tokenFile());
      Files.deleteIfExists(shared);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + shared, e);
    }
  }
}
