package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.RefusalAudit;
import io.belfry.server.access.Role;
import io.belfry.server.access.SubmitAudit;
import io.belfry.server.access.TestRecordTable;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** What happened is written down once, whatever becomes of the answer; and whatever is thrown, there is an answer. */
class RouterTest {
  /** No writer can write what this goes through. */
  private static Iterator<String> broken() {
    throw new IllegalStateException("on purpose");
  }

  @Test
  void a_change_whose_answer_cannot_be_sent_is_written_down_once(@TempDir Path own)
      throws Exception {
    try (var access = new TestRecordTable(own, Time.system(), store -> store)) {
      HttpResponse<String> reply = reply(
          access,
          call ->
              Answer.ok(JsonNodeFactory.instance.pojoNode((Iterable<String>) RouterTest::broken)));
      assertThat(reply.statusCode()).isEqualTo(500);
      assertThat(reply.body()).contains("\"code\":\"broken\"");
      assertThat(access.written(Audit.EVERYWHERE)).singleElement().satisfies(entry -> {
        assertThat(entry.action()).isEqualTo("spoil");
        assertThat(entry.outcome()).as("it was done").isEqualTo(200);
      });
    }
  }

  private static int endless(int depth) {
    return depth < 0 ? depth : 1 + endless(depth + 1); // deeper than any stack
  }

  /** What no handler should throw, while it works and while its answer is written. */
  private static Stream<Route.Handling> broke() {
    return Stream.of(
        call -> Answer.ok(Spot.node().put("depth", endless(0))),
        call -> {
          throw new OutOfMemoryError("on purpose");
        },
        call -> {
          throw new NoClassDefFoundError("on purpose");
        },
        call -> Answer.ok(JsonNodeFactory.instance.pojoNode((Iterable<String>) () -> {
          throw new AssertionError("on purpose " + endless(0));
        })),
        call -> Answer.ok(JsonNodeFactory.instance.pojoNode((Iterable<String>) () -> {
          throw new OutOfMemoryError("on purpose");
        })));
  }

  @ParameterizedTest
  @MethodSource("broke")
  void whatever_is_thrown_is_answered_as_a_problem(Route.Handling handling, @TempDir Path own)
      throws Exception {
    try (var access = new TestRecordTable(own, Time.system(), store -> store)) {
      HttpResponse<String> reply = reply(access, handling);
      assertThat(reply.statusCode()).isEqualTo(500);
      assertThat(reply.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/json");
      assertThat(reply.body()).contains("\"code\":\"broken\"").doesNotContain("on purpose");
    }
  }

  private static HttpResponse<String> reply(TestRecordTable access, Route.Handling handling)
      throws Exception {
    var route = Route.post("spoil", "/spoil", Permission.ANY, handling);
    String token = access
        .tokens
        .create("ci", Role.ADMIN, Optional.empty(), Optional.empty(), "me")
        .token();
    Javalin server = Javalin.create(config -> {
      config.startup.showJavalinBanner = false;
      router(access, route).bind(config);
    });
    server.start("127.0.0.1", 0);
    try (HttpClient http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + server.port() + "/spoil"))
          .header("Authorization", "Bearer " + token)
          .POST(HttpRequest.BodyPublishers.noBody())
          .build();
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } finally {
      server.stop();
    }
  }

  private static Router router(TestRecordTable access, Route route) {
    var gate = new Gate(
        access.tokens,
        access.sessions,
        new Gate.Limits(1000, 1000, false),
        new Gate.Arrival(false, ClientAddresses.DIRECT),
        Time.system());
    return new Router(
        List.of(route),
        new Router.Parts(
            gate,
            access.audit,
            new RefusalAudit(access.audit, Time.system(), (delay, step) -> {}),
            new SubmitAudit(access.audit, Time.system(), (delay, step) -> {}),
            Time.system(),
            "n1",
            1 << 20,
            AnswerMemory.of(Optional.empty(), Time.system()),
            name -> Optional.empty()));
  }
}
