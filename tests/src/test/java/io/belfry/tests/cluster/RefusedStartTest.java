package io.belfry.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.engine.Ports;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that cannot start says why in a sentence. */
class RefusedStartTest {
  @Test
  void on_a_directory_or_a_port_that_another_server_has(@TempDir Path folder) {
    try (ServerNode other =
        ServerNode.launch("server", "other", Map.of(), List.of("--port", "0")).awaitReady()) {
      Typed.Ran sameData =
          Typed.ran("server", "--port", "0", "--data", other.data().toString());
      assertThat(sameData.exit()).isEqualTo(1);
      assertThat(sameData.text())
          .contains("data must be used by one node only, and another node uses it (process "
              + other.process().pid() + ")")
          .contains("Stop the other node, or set another directory with --data.")
          .doesNotContain("Exception")
          .doesNotContain("\tat ");
      String port = other.url().substring(other.url().lastIndexOf(':') + 1);
      Typed.Ran samePort =
          Typed.ran("server", "--port", port, "--data", folder.resolve("own").toString());
      assertThat(samePort.exit()).isEqualTo(1);
      assertThat(samePort.text())
          .contains("server.listen must be an address of this machine with a free port")
          .contains("choose another with --port; 0 takes a free one")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void without_its_engine(@TempDir Path folder) {
    Typed.Ran ran = Typed.ran(
        "server",
        "--port",
        "0",
        "--data",
        folder.resolve("own").toString(),
        "--store",
        "redis://127.0.0.1:" + Ports.free(),
        "--set",
        "server.startPatience=0s");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.text())
        .contains("belfry: Could not connect to Redis")
        .contains("Connection refused")
        .doesNotContainIgnoringCase("unexpected")
        .doesNotContain("\tat ");
  }
}
