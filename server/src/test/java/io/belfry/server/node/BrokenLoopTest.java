package io.belfry.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.verb.RunningServer;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokenLoopTest {
  @TempDir
  Path directory;

  @Test
  void a_server_whose_own_loop_broke_says_that_it_does_not_live() {
    try (var server = new RunningServer(directory)) {
      assertThat(server.get("/healthz").status()).isEqualTo(200);
      server.program().node().loop().post(() -> {
        throw new IllegalStateException("a step throws, on purpose");
      });
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.get("/healthz").status() == 503);
      RunningServer.Reply reply = server.get("/healthz");
      assertThat(reply.body().path("status").asString("")).isEqualTo("failed");
      assertThat(reply.body().path("reason").asString("")).contains("IllegalStateException");
      assertThat(reply.body().toString()).doesNotContain("on purpose");
    }
  }
}
