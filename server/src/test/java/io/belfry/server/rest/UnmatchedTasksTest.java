package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task that no worker may take does not wait without a word. */
@Timeout(90)
class UnmatchedTasksTest {
  private static final String NS = "/api/v1/namespaces/default";

  @TempDir
  Path data;

  private static String submit(RunningServer server, String more) {
    Reply made = server.post(
        NS + "/tasks", "{\"executor\": {\"type\": \"local\", \"handler\": \"h\"}" + more + "}");
    assertThat(made.status()).isEqualTo(201);
    return made.body().path("id").asString();
  }

  @Test
  void its_view_says_why_it_waits_and_an_event_follows() {
    try (var server = new RunningServer(data, "dispatch.unmatchedAfter=1s");
        var listening =
            new Listening(server, new Document(server.get("/openapi.json").body()), "events")) {
      listening.begin(NS + "/events?type=tasksUnmatched");
      String picky = submit(server, ", \"workers\": {\"disk\": \"ssd\"}, \"queue\": \"mail\"");
      Reply view = server.get(NS + "/tasks/" + picky);
      assertThat(view.body().path("waits").asString(""))
          .isEqualTo("no worker serves queue mail and offers labels {disk=ssd}");
      listening.until("tasksUnmatched");

      String later = submit(server, ", \"in\": \"1h\"");
      assertThat(server.get(NS + "/tasks/" + later).body().has("waits"))
          .as("a worker may take it")
          .isFalse();
    }
  }
}
