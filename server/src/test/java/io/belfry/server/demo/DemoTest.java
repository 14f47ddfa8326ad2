package io.belfry.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.config.Config;
import io.belfry.server.verb.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The content of a demo. */
class DemoTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Test
  void everything_that_it_promises_happens(@TempDir Path parent) {
    var over = new CountDownLatch(1);
    DemoFolder folder = DemoFolder.open(Optional.of(parent.resolve("demo")));
    Config config = Config.defaults()
        .set("data", folder.path().toString(), "the test")
        .set("server.listen", "127.0.0.1:0", "the test")
        .set("server.stopPatience", "500ms", "the test");
    try (DemoTarget target = DemoTarget.start(over);
        Program program = Program.start(config, new DemoHandlers(over)::register);
        HttpClient http = HttpClient.newHttpClient()) {
      var fill = new DemoFill(program.address(), folder.token());
      DemoFill.Amounts first = fill.fill(target.url());
      assertThat(fill.fill(target.url())).as("filled twice, it is the same").isEqualTo(first);
      assertThat(tasks(http, program, folder, "").size()).isGreaterThan(10);
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(300))
          .untilAsserted(() -> {
            assertThat(jobs(http, program, folder, "succeeded"))
                .contains("orders-import", "orders-report", "price-feed", "film-rendering");
            assertThat(jobs(http, program, folder, "failed")).containsExactly("ledger-sync");
          });
      over.countDown();
    }
    folder.close();
  }

  private static Set<String> jobs(
      HttpClient http, Program program, DemoFolder folder, String state) {
    var jobs = new TreeSet<String>();
    tasks(http, program, folder, "&state=" + state)
        .forEach(task -> jobs.add(task.path("job").asString("")));
    jobs.remove("");
    return jobs;
  }

  private static JsonNode tasks(HttpClient http, Program program, DemoFolder folder, String query) {
    var request = HttpRequest.newBuilder(
            URI.create(program.address() + "/api/v1/namespaces/default/tasks?limit=200" + query))
        .header("Authorization", "Bearer " + folder.token())
        .build();
    try {
      return JSON.readTree(http.send(request, BodyHandlers.ofString()).body()).path("items");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
