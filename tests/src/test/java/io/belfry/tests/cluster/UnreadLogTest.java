package io.belfry.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.testkit.engine.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server whose log cannot be written: a full pipe, a terminal that was stopped with Ctrl-S, a disk that stands still. */
class UnreadLogTest {
  @Test
  void goes_on_firing_and_stops_when_it_is_told_to() throws Exception {
    Path directory = ServerProcess.freshDirectory("unread-log");
    Path pipe = directory.resolve("stderr");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (ServerNode server = ServerNode.launch(
        "server",
        "unread-log",
        Map.of(),
        List.of("--port", "0", "--set", "executors.script.enabled=true"),
        intoFullPipe(pipe),
        directory)) {
      server.awaitReady();
      try (Rest rest =
          new Rest(Files.readString(server.data().resolve("admin.token")).strip())) {
        String namespace = server.url() + Rest.NS;
        assertThat(rest.put(namespace + "/jobs/tick", """
                {"trigger": {"every": "1s"},
                 "executor": {"type": "script", "interpreter": "bash", "script": "true"}}""").status()).isEqualTo(201);
        await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> rest.get(namespace + "/tasks?job=tick&state=succeeded")
                    .body()
                    .path("items")
                    .size()
                >= 3);
      }
      server.process().stop();
      assertThat(server.process().isRunning()).isFalse();
    }
  }

  /** The program with a standard error that takes nothing: it has both ends of the pipe, which is filled before it starts. */
  private static List<String> intoFullPipe(Path pipe) {
    var words = new ArrayList<>(List.of(
        "bash",
        "-c",
        "exec 3<>\"$0\"; dd if=/dev/zero of=\"$0\" oflag=nonblock bs=4096 2>/dev/null; exec \"$@\" 2>&3",
        pipe.toString()));
    words.addAll(ServerNode.program());
    return words;
  }
}
