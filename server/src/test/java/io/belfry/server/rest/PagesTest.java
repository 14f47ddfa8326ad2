package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Lists end by bytes as well as by number, go on by their cursors, and lose nothing; what large answers take is given back. */
class PagesTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final int JOBS = 40;
  private static final int PAYLOAD_CHARS = 250_000;

  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path data) {
    server = new RunningServer(data, "limit.answers=16MiB");
    for (int i = 0; i < JOBS; i++) {
      assertThat(server.put(NS + "/jobs/" + id(i), job(i)).status()).isEqualTo(201);
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String id(int i) {
    return "job%02d".formatted(i);
  }

  private static String job(int i) {
    return "{\"name\": \"n" + (JOBS - i)
        + "\", \"trigger\": \"none\", \"executor\": {\"type\": \"http\", \"url\": \"http://example.org/\"}, \"payload\": {\"text\": \""
        + "ä".repeat(PAYLOAD_CHARS / 2) + "\", \"number\": 1.50, \"list\": [" + i + ", 1e999]}}";
  }

  private static List<String> all(String path) {
    var ids = new ArrayList<String>();
    Optional<String> cursor = Optional.empty();
    int pages = 0;
    do {
      Reply page = server.get(path
          + cursor.map(at -> (path.contains("?") ? "&" : "?") + "cursor=" + at).orElse(""));
      assertThat(page.status()).as("%s", page.body()).isEqualTo(200);
      page.body().path("items").forEach(item -> ids.add(item.path("id").asString()));
      cursor = page.body().path("next").asStringOpt();
      pages++;
    } while (cursor.isPresent());
    assertThat(pages).isGreaterThan(1);
    return ids;
  }

  @Test
  void a_page_of_jobs_ends_by_bytes_and_goes_on_where_it_ended() {
    List<String> ids = all(NS + "/jobs?limit=1000");
    assertThat(ids).hasSize(JOBS).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void so_does_one_in_another_order() {
    List<String> ids = all(NS + "/jobs?limit=1000&sort=-id");
    assertThat(ids).hasSize(JOBS).doesNotHaveDuplicates();
    assertThat(ids.reversed()).isSorted();
    assertThat(new TreeSet<>(all(NS + "/jobs?limit=1000&sort=name"))).hasSize(JOBS);
  }

  @Test
  void a_large_payload_is_answered_with_all_its_digits() {
    JsonNode payload = server.get(NS + "/jobs/" + id(7)).body().path("payload");
    assertThat(payload.path("text").asString()).hasSize(PAYLOAD_CHARS / 2).startsWith("ää");
    String text = text(NS + "/jobs/" + id(7));
    assertThat(text).contains("\"number\":1.50,\"list\":[7,1E+999]");
  }

  private static String text(String path) {
    try (InputStream in = server.open("GET", path, "", server.admin()).body()) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void versions_that_weigh_more_than_a_page_have_a_cursor() {
    for (int i = 0; i < 20; i++) {
      assertThat(server.put(NS + "/jobs/versions", job(i)).status() / 100).isEqualTo(2);
    }
    assertThat(all(NS + "/jobs/versions/versions")).hasSizeGreaterThan(17);
    assertThat(server.delete(NS + "/jobs/versions").status()).isEqualTo(204);
  }

  @Test
  void a_token_whose_answers_nobody_reads_is_refused_and_others_are_not() throws Exception {
    String viewer = server
        .post(NS + "/tokens", "{\"name\": \"viewer\", \"role\": \"viewer\"}")
        .body()
        .path("token")
        .asString();
    var unread = new ArrayList<HttpResponse<InputStream>>();
    try {
      Optional<Reply> refused = Optional.empty();
      for (int i = 0; i < 10 && refused.isEmpty(); i++) {
        HttpResponse<InputStream> answer = server.open("GET", NS + "/jobs?limit=1000", "", viewer);
        if (answer.statusCode() == 200) {
          unread.add(answer);
        } else {
          answer.body().close();
          refused = Optional.of(server.ask("GET", NS + "/jobs?limit=1000", "", viewer));
        }
      }
      assertThat(refused).isPresent();
      assertThat(refused.get().status()).isEqualTo(429);
      assertThat(refused.get().code()).isEqualTo("tooMany");
      assertThat(refused.get().header("Retry-After")).isPresent();
      assertThat(server.get(NS + "/jobs?limit=2").status()).isEqualTo(200);
      assertThat(server.get("/healthz").status()).isEqualTo(200);
      assertThat(server.get("/metrics").body().path("text").asString())
          .contains("belfry_http_answers_refused_total{reason=\"memory_share\"}");
    } finally {
      for (HttpResponse<InputStream> each : unread) {
        each.body().close();
      }
    }
    org.awaitility.Awaitility.await()
        .until(() -> server.ask("GET", NS + "/jobs?limit=1000", "", viewer).status() == 200);
  }
}
