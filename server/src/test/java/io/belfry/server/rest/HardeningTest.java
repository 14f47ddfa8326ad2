package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import io.belfry.testkit.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What anybody may ask tells little and costs little, and what is secret stays so. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HardeningTest {
  private static final String NS = "/api/v1/namespaces/default";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path own) {
    server = new RunningServer(own.resolve("data"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void a_server_whose_worker_left_after_its_idle_timeout_is_not_ready(@TempDir Path own) {
    try (var idle = new RunningServer(own.resolve("data"), "worker.idleTimeout=1s")) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> assertThat(idle.ask("GET", "/readyz", "", "").body().toString())
                  .contains("left in 1 of 1 after its idle timeout"));
      assertThat(idle.ask("GET", "/readyz", "", "").status()).isEqualTo(503);
    }
  }

  /** As docs/task-states.md says. */
  @Test
  void tasks_are_filtered_by_the_words_of_other_schedulers_too() {
    List.of("created", "queued", "scheduled", "success", "completed", "canceled", "failed")
        .forEach(word -> assertThat(server.get(NS + "/tasks?state=" + word).status())
            .as(word)
            .isEqualTo(200));
    assertThat(server.get(NS + "/tasks?state=done").field()).isEqualTo("state");
  }

  @Test
  void the_engine_is_asked_for_the_leader_once_a_second_however_often_readiness_is() {
    var asked = new AtomicInteger();
    var time = new ManualTime(Instant.EPOCH);
    var leaders = new Leaders(time, name -> {
      asked.incrementAndGet();
      return CompletableFuture.completedStage(true);
    });
    for (int i = 0; i < 100; i++) {
      leaders.refresh(Set.of("default"));
      assertThat(leaders.of("default")).isEqualTo(Leaders.Seen.LED);
    }
    assertThat(asked).hasValue(1);
    time.advance(Duration.ofSeconds(1));
    leaders.refresh(Set.of("default"));
    assertThat(asked).hasValue(2);
  }

  @Test
  void nobody_waits_for_an_engine_that_does_not_answer_and_old_answers_do_not_count() {
    var time = new ManualTime(Instant.EPOCH);
    List<CompletableFuture<Boolean>> questions = new ArrayList<>();
    var leaders = new Leaders(time, name -> {
      questions.add(new CompletableFuture<>());
      return questions.getLast();
    });
    leaders.refresh(Set.of("default"));
    questions.getFirst().complete(true);
    assertThat(leaders.of("default")).isEqualTo(Leaders.Seen.LED);
    time.advance(Duration.ofSeconds(2));
    leaders.refresh(Set.of("default"));
    assertThat(leaders.of("default")).isEqualTo(Leaders.Seen.LED);
    time.advance(Duration.ofSeconds(1));
    leaders.refresh(Set.of("default"));
    assertThat(leaders.of("default")).isEqualTo(Leaders.Seen.NOT_KNOWN);
    assertThat(questions).hasSize(2);
    time.advance(Duration.ofSeconds(2));
    leaders.refresh(Set.of("default"));
    assertThat(questions).as("a question that got lost is asked again").hasSize(3);
    questions.get(2).complete(false);
    assertThat(leaders.of("default")).isEqualTo(Leaders.Seen.NOT_LED);
  }

  @Test
  void a_namespace_has_ten_seconds_to_elect_its_first_leader() {
    var time = new ManualTime(Instant.EPOCH);
    var leaders = new Leaders(time, name -> CompletableFuture.completedStage(false));
    leaders.refresh(Set.of("new"));
    assertThat(leaders.of("new")).isEqualTo(Leaders.Seen.STARTING);
    time.advance(Duration.ofSeconds(10));
    leaders.refresh(Set.of("new"));
    assertThat(leaders.of("new")).isEqualTo(Leaders.Seen.NOT_LED);
  }

  @Test
  void readiness_names_no_namespace_and_no_node() {
    String node = server.get(NS + "/cluster").body().at("/nodes/0/id").asString();
    assertThat(node).isNotEmpty();
    assertThat(server.ask("GET", "/readyz", "", "").body().toString())
        .contains("checks")
        .doesNotContain("default")
        .doesNotContain(node);
  }

  @Test
  void one_token_has_a_bounded_number_of_streams_and_leaves_room_for_others() {
    var readers = new Readers();
    for (int i = 0; i < Readers.OF_ONE_MAX; i++) {
      readers.enter("a");
    }
    assertThatThrownBy(() -> readers.enter("a"))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.code()).isEqualTo(Problem.Code.TOO_MANY));
    readers.enter("b");
    readers.leave("a");
    readers.enter("a");
  }

  @Test
  void all_together_have_a_bounded_number_of_streams() {
    var readers = new Readers();
    for (int i = 0; i < Readers.ALL_MAX; i++) {
      readers.enter("token " + i);
    }
    assertThatThrownBy(() -> readers.enter("one more")).hasMessageContaining("1000 readers");
    readers.leave("token 1");
    readers.enter("one more");
  }

  @Test
  void a_stream_ends_with_the_right_to_read_it() throws Exception {
    Reply made = server.post(NS + "/tokens", "{\"name\": \"reader\", \"role\": \"viewer\"}");
    HttpResponse<InputStream> stream =
        server.open("GET", NS + "/events", "", made.body().path("token").asString());
    assertThat(stream.statusCode()).isEqualTo(200);
    server.delete(NS + "/tokens/" + made.body().path("id").asString());
    try (InputStream in = stream.body()) {
      assertThat(in.readAllBytes()).as("what was sent until the end").isNotEmpty();
    }
  }

  @Test
  void tokens_and_codes_of_logins_are_never_written_down() {
    Reply made = server.post(NS + "/tokens", "{\"name\": \"t\", \"role\": \"viewer\"}");
    String token = made.body().path("token").asString();
    String url = server.post("/api/v1/login-links", "").body().path("url").asString();
    String code = url.substring(url.indexOf("code=") + 5);
    assertThat(server
            .ask("POST", "/api/v1/login", "{\"code\": \"" + code + "\"}", "")
            .status())
        .isEqualTo(200);
    assertThat(server.delete(NS + "/tokens/" + token).status()).isEqualTo(404);
    String here = server.get(NS + "/audit").body().toString();
    String everywhere =
        server.get("/api/v1/namespaces/belfry.system/audit").body().toString();
    assertThat(here).contains("revokeToken").contains("not shown").doesNotContain(token);
    assertThat(everywhere)
        .contains("\"action\":\"login\"")
        .contains("\"who\":\"admin")
        .doesNotContain(code)
        .doesNotContain(token);
  }

  @Test
  void a_header_does_not_change_the_method() {
    Reply reply = server.ask(
        "GET", NS + "/jobs/none", "", server.admin(), "X-HTTP-Method-Override", "DELETE");
    assertThat(reply.code()).isEqualTo("notFound");
    assertThat(server.get(NS + "/audit").body().toString()).doesNotContain("deleteJob");
  }

  @Test
  void an_address_that_does_not_know_the_method_says_which_it_knows() {
    Reply job = server.post(NS + "/jobs/a", "{}");
    assertThat(job.status()).isEqualTo(405);
    assertThat(methods(job)).containsExactlyInAnyOrder("GET", "HEAD", "PUT", "DELETE", "OPTIONS");
    Reply page = server.ask("POST", "/login", "{}", "");
    assertThat(page.status()).isEqualTo(405);
    assertThat(methods(page)).containsExactlyInAnyOrder("GET", "HEAD");
  }

  private static List<String> methods(Reply reply) {
    return List.of(reply.header("allow").orElse("").split(", "));
  }

  @Test
  void reports_to_where_nobody_waits_are_slowed_down_by_address(@TempDir Path own) {
    try (var strict = new RunningServer(own.resolve("data"), "limit.loginRate=1")) {
      String body = "{\"status\": \"succeeded\"}";
      String unsigned = "/api/v1/callbacks/" + "x".repeat(42);
      for (int i = 0; i < 10; i++) {
        assertThat(strict.ask("POST", unsigned + i, body, "").code()).isEqualTo("notFound");
      }
      Reply slow = strict.ask("POST", unsigned + "x", body, "");
      assertThat(slow.status()).isEqualTo(429);
      assertThat(slow.header("retry-after")).contains("6");
      assertThat(strict.get(NS + "/jobs").status())
          .as("everything else goes on")
          .isEqualTo(200);
    }
  }

  @Test
  void reports_to_made_up_addresses_keep_no_real_one_from_being_heard(@TempDir Path own) {
    try (var target = new Target();
        var strict = new RunningServer(own.resolve("data"), "limit.loginRate=1")) {
      String task = "{\"executor\": {\"type\": \"http\", \"method\": \"POST\", \"url\": \""
          + target.url("/later") + "\", \"complete\": \"callback\"}}";
      assertThat(strict.post(NS + "/tasks", task).status()).isEqualTo(201);
      String address = URI.create(target.callback()).getPath();
      String body = "{\"status\": \"succeeded\"}";
      for (int i = 10; i < 50; i++) {
        String madeUp = "/api/v1/callbacks/" + "x".repeat(41) + i;
        assertThat(strict.ask("POST", madeUp, body, "").status()).isIn(404, 429);
      }
      assertThat(strict.ask("POST", address, body, "").status()).isEqualTo(204);
      assertThat(strict.ask("POST", address + "x", body, "").status()).isEqualTo(404);
    }
  }

  @Test
  void too_many_failed_logins_are_told_when_to_come_back(@TempDir Path own) {
    try (var strict = new RunningServer(own.resolve("data"), "limit.loginRate=2")) {
      String guess = "bft_" + "x".repeat(43);
      assertThat(strict.ask("GET", "/api/v1/me", "", guess).status()).isEqualTo(401);
      assertThat(strict.ask("GET", "/api/v1/me", "", guess).status()).isEqualTo(401);
      Reply slow = strict.ask("GET", "/api/v1/me", "", guess);
      assertThat(slow.status()).isEqualTo(429);
      assertThat(slow.header("retry-after")).contains("30");
    }
  }

  @Test
  void what_the_web_server_refuses_is_answered_like_all_refusals_and_not_logged()
      throws IOException {
    var log = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    var heard = new ListAppender<ILoggingEvent>();
    heard.start();
    log.addAppender(heard);
    try (var wire = new Wire(server.api().port())) {
      for (String target : List.of("/api/%00", "/%00", "/..", "/%ff", "/assets/%2e%2e/%00")) {
        Wire.Reply reply = wire.send(
            ("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.UTF_8),
            false);
        assertThat(reply.status()).as(target).isEqualTo(400);
        assertThat(reply.isJson()).as(target).isTrue();
        assertThat(reply.text()).as(target).contains("\"code\":\"invalid\"");
      }
    } finally {
      log.detachAppender(heard);
    }
    assertThat(heard.list)
        .extracting(ILoggingEvent::getLevel)
        .doesNotContain(Level.WARN, Level.ERROR);
  }

  /** Most clients send the body after the head: those that find the door closed then do not see the answer. */
  @Test
  void a_refusal_before_the_body_has_come_leaves_the_connection_good() throws IOException {
    try (var wire = new Wire(server.api().port())) {
      for (int i = 0; i < 300; i++) {
        Wire.Reply reply = wire.sendApart(headOfBody(1000), new byte[1000]);
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.headers()).doesNotContainKey("connection");
      }
      assertThat(wire.hangUps()).isZero();
    }
  }

  @Test
  void a_refusal_that_will_not_read_a_large_body_says_that_it_hangs_up() throws IOException {
    try (var wire = new Wire(server.api().port())) {
      Wire.Reply reply = wire.send(headOfBody(10_000_000), false);
      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.headers()).containsEntry("connection", "close");
    }
  }

  @Test
  void a_refusal_does_not_ask_for_a_body_that_waits_to_be_asked_for() throws IOException {
    try (var wire = new Wire(server.api().port())) {
      Wire.Reply reply = wire.send(headOfBody(1000, "Expect: 100-continue"), false);
      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.headers()).containsEntry("connection", "close");
    }
  }

  @Test
  void a_body_that_cannot_be_read_changes_nothing_about_the_refusal() throws IOException {
    try (var wire = new Wire(server.api().port())) {
      byte[] broken = ("POST " + NS + "/tasks HTTP/1.1\r\nHost: x\r\n"
              + "Transfer-Encoding: chunked\r\n\r\nno number\r\n")
          .getBytes(StandardCharsets.UTF_8);
      Wire.Reply reply = wire.send(broken, false);
      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.headers()).containsEntry("connection", "close");
    }
  }

  private static byte[] headOfBody(int bytes, String... headers) {
    var head = new StringBuilder("POST " + NS + "/tasks HTTP/1.1\r\nHost: x\r\n")
        .append("Content-Type: application/json\r\nContent-Length: " + bytes + "\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }
}
