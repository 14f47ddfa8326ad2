package io.belfry.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.library.Engine;
import io.belfry.library.Stores;
import io.belfry.model.time.Time;
import io.belfry.server.access.NamespaceRegistry;
import io.belfry.server.access.RecordTable;
import io.belfry.server.access.Spaces;
import io.belfry.server.verb.RunningServer;
import io.belfry.store.Commit;
import io.belfry.store.EngineHealth;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
class NamespacesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Time time = Time.system();

  @TempDir
  Path data;

  private static void put(Store store, Space space, String name, String value) {
    store
        .commit(Commit.when()
            .put(Key.of(space, name), value.getBytes(StandardCharsets.UTF_8))
            .build())
        .toCompletableFuture()
        .join();
  }

  /** With a retry for each namespace, the retries would be 3, 9, 27, 81 … */
  @Test
  void namespaces_that_cannot_be_opened_are_tried_again_once_in_two_seconds() {
    var tries = new AtomicInteger();
    var store = new MemoryStore(time, Runnable::run);
    List.of("a", "b", "c")
        .forEach(name -> put(
            store,
            Spaces.NAMESPACES,
            name,
            "{\"name\": \"" + name
                + "\", \"description\": \"\", \"created\": \"2027-01-01T00:00:00Z\"}"));
    var loop = new ThreadLoop("test", time, new SplittableRandom(1), thrown -> {});
    var health = new EngineHealth(time, EngineHealth.Listener.NONE);
    var table = new RecordTable(new MonitoredStore(store, health), LIMIT);
    var registry = new NamespaceRegistry(table, loop, time, new SecureRandom());
    var namespaces = new Namespaces(registry, loop, time, record -> {
      tries.incrementAndGet();
      throw new IllegalStateException("cannot be opened, on purpose");
    });
    try {
      // The step that loads the registry also tells of a change: a round of its own, if it were
      // heard.
      registry
          .loaded()
          .thenRunAsync(() -> {}, loop::post)
          .orTimeout(30, TimeUnit.SECONDS)
          .join();
      long begun = time.nanos();
      namespaces.start();
      await().atMost(LIMIT).until(() -> tries.get() >= 12);
      assertThat(Duration.ofNanos(time.nanos() - begun))
          .as("four rounds of three take three pauses")
          .isGreaterThan(Duration.ofSeconds(5));
    } finally {
      namespaces.stop(Duration.ZERO);
      registry.stop();
      loop.close();
    }
  }

  @Test
  void events_of_a_namespace_that_was_deleted_and_created_again_are_heard() throws IOException {
    String namespace = "/api/v1/namespaces/again";
    try (var server = new RunningServer(data)) {
      for (int i = 0; i < 2; i++) {
        assertThat(server.post("/api/v1/namespaces", "{\"name\": \"again\"}").status())
            .isEqualTo(201);
        var stream = server.open("GET", namespace + "/events", "", server.admin());
        assertThat(stream.statusCode()).isEqualTo(200);
        try (var lines =
            new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
          await("it has a leader, which tells of the end of a task")
              .atMost(LIMIT)
              .until(() -> server
                      .post(
                          namespace + "/tasks",
                          "{\"executor\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\"}, \"retry\": {\"max\": 0}}")
                      .status()
                  == 201);
          String line = lines.readLine();
          while (line != null && !line.equals("event: taskFailed")) {
            line = lines.readLine();
          }
          assertThat(line).as("round " + i).isEqualTo("event: taskFailed");
        }
        await().atMost(LIMIT).until(() -> server.delete(namespace).status() == 204);
        await().atMost(LIMIT).until(() -> server.get(namespace).status() == 404);
      }
    }
  }

  @Test
  void one_damaged_record_of_the_servers_own_does_not_end_the_server() {
    try (var server = new RunningServer(data)) {
      assertThat(server.get("/api/v1/namespaces").status()).isEqualTo(200);
    }
    try (Store store =
        Stores.open(Engine.at("embedded:" + data.resolve("store")), "belfry", "belfry.system")) {
      put(store, Space.plain("tok").inOrder().watchedTogether(), "bad", "{\"role\":");
      put(store, Space.plain("ses").inOrder(), "s/bad", "[]");
      put(store, Space.plain("aud").inOrder(), "default/0000000000000000/bad", "?");
    }
    try (var server = new RunningServer(data)) {
      assertThat(server.get("/healthz").status()).isEqualTo(200);
      assertThat(server.get("/api/v1/namespaces/default/tokens").status()).isEqualTo(200);
      assertThat(server.get("/api/v1/namespaces/default/audit").status()).isEqualTo(200);
      assertThat(server.program().node().sessions().sweep(time.wall())).isZero();
    }
  }
}
