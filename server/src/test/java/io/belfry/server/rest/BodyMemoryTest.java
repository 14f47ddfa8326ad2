package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nobody fills the heap with bodies that are not finished. */
@Timeout(120)
class BodyMemoryTest {
  private static final int BODY = 1 << 20;
  private static final String NS = "/api/v1/namespaces/default";

  @Test
  void one_caller_gets_a_share_and_all_together_what_there_is() {
    var memory = new BodyMemory(1000);
    assertThat(memory.take("a", 0, 200)).isTrue();
    assertThat(memory.take("a", 0, 51)).as("beyond its share").isFalse();
    assertThat(memory.take("b", 0, 400)).as("its only request").isTrue();
    assertThat(memory.take("b", 400, 100)).as("more of its only request").isTrue();
    assertThat(memory.take("c", 0, 301)).as("beyond all").isFalse();
    assertThat(memory.taken()).isEqualTo(700);
    memory.give("a", 200);
    memory.give("b", 500);
    assertThat(memory.taken()).isZero();
    assertThat(memory.take("c", 0, 5000)).as("alone on the server").isTrue();
  }

  @Test
  void what_JSON_takes_is_counted_by_its_elements() {
    byte[] flat = ("\"" + "x".repeat(998) + "\"").getBytes(StandardCharsets.UTF_8);
    byte[] many = ("[" + "{},".repeat(332) + "{}]").getBytes(StandardCharsets.UTF_8);
    assertThat(BodyMemory.elements(flat)).isLessThan(100);
    assertThat(BodyMemory.elements(many)).isGreaterThan(333 * 84);
  }

  @Test
  void a_login_has_a_small_body(@TempDir Path data) throws Exception {
    try (var server = new RunningServer(data);
        var login = new Unfinished(server.api().port(), "POST", "/api/v1/login", "", BODY)) {
      login.send(" ".repeat(BODY));
      assertThat(login.status()).isEqualTo(413);
    }
  }

  @Test
  void a_report_to_an_address_that_nobody_gave_out_is_refused_before_its_body(@TempDir Path data)
      throws Exception {
    try (var server = new RunningServer(data)) {
      for (String token : List.of("x", "x".repeat(43))) {
        String path = "/api/v1/callbacks/" + token;
        try (var report = new Unfinished(server.api().port(), "POST", path, "", BODY)) {
          report.send(" ".repeat(BODY));
          assertThat(report.status()).isEqualTo(404);
        }
      }
    }
  }

  @Test
  void a_viewer_that_begins_many_large_bodies_is_refused_and_others_are_served(@TempDir Path data)
      throws Exception {
    int most = (int) (Runtime.getRuntime().maxMemory() / 8 / 4 / BODY);
    var begun = new ArrayList<Unfinished>();
    try (var server = new RunningServer(data)) {
      String viewer = server
          .post(NS + "/tokens", "{\"name\": \"v\", \"role\": \"viewer\"}")
          .body()
          .path("token")
          .asString();
      String path = NS + "/jobs/preview";
      for (int i = 0; i < most; i++) {
        begun.add(new Unfinished(server.api().port(), "POST", path, viewer, BODY));
      }
      await().atMost(Duration.ofSeconds(30)).until(() -> {
        try (var more = new Unfinished(server.api().port(), "POST", path, viewer, BODY)) {
          more.send(" ".repeat(BODY));
          return more.status() == 429;
        }
      });
      String job = "{\"executor\": {\"type\": \"local\", \"handler\": \"h\"}}";
      assertThat(server.put(NS + "/jobs/a", job).status()).isEqualTo(201);
      for (Unfinished each : begun) {
        each.close();
      }
      await("what was begun and given up is given back")
          .atMost(Duration.ofSeconds(30))
          .until(() -> server
                  .ask("POST", path, "{\"id\": \"x\"" + " ".repeat(BODY / 2) + "}", viewer)
                  .status()
              == 400);
    }
  }
}
