package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A namespace that is deleted takes all with it that belonged to it; a new one of its name has none of that. */
@Timeout(120)
class DeletedNamespaceTest {
  private static final String ROOT = "/api/v1/namespaces";
  private static final String NS = ROOT + "/again";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int ROUNDS = 8;

  @TempDir
  Path data;

  private RunningServer server;

  @BeforeEach
  void start() {
    server = new RunningServer(data, "limit.loginRate=100000");
    create();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void create() {
    assertThat(server.post(ROOT, "{\"name\": \"again\"}").status()).isEqualTo(201);
  }

  private void delete() {
    await().atMost(LIMIT).until(() -> server.delete(NS).status() == 204);
  }

  private void createAgain() {
    await("the old one is closed")
        .atMost(LIMIT)
        .until(() -> server.post(ROOT, "{\"name\": \"again\"}").status() == 201
            || server.get(NS).status() == 200);
    await().atMost(LIMIT).until(() -> server.get(NS).status() == 200);
  }

  private Reply token(String ns, String role) {
    return server.post(ns + "/tokens", "{\"name\": \"t\", \"role\": \"" + role + "\"}");
  }

  private static String text(Reply reply, String field) {
    return reply.body().path(field).asString();
  }

  private String cookie(String token) {
    Reply login = server.ask("POST", "/api/v1/login", "{\"token\": \"" + token + "\"}", "");
    String cookie = login.header("set-cookie").orElseThrow();
    return cookie.substring(0, cookie.indexOf(';'));
  }

  @Test
  void its_tokens_sessions_and_links_are_refused_and_do_not_come_back() {
    String token = text(token(NS, "admin"), "token");
    String cookie = cookie(token);
    String url = text(server.ask("POST", "/api/v1/login-links", "", token), "url");
    String code = url.substring(url.indexOf("code=") + 5);
    delete();
    assertThat(server.ask("GET", "/api/v1/me", "", token).status())
        .as("at once")
        .isEqualTo(401);
    assertThat(server.ask("GET", "/api/v1/me", "", "", "Cookie", cookie).status())
        .isEqualTo(401);
    createAgain();
    assertThat(server.ask("GET", NS + "/secrets", "", token).status()).isEqualTo(401);
    assertThat(server.ask("GET", NS + "/jobs", "", "", "Cookie", cookie).status())
        .isEqualTo(401);
    assertThat(server
            .ask("POST", "/api/v1/login", "{\"code\": \"" + code + "\"}", "")
            .status())
        .isEqualTo(401);
    assertThat(server.get(NS + "/tokens").body().toString()).doesNotContain("\"name\":\"t\"");
  }

  @Test
  void its_secrets_its_history_and_its_audit_log_do_not_come_back() {
    assertThat(server
            .put(NS + "/secrets/billing", "{\"value\": \"x\", \"destinations\": [\"script\"]}")
            .status())
        .isEqualTo(204);
    assertThat(server.put(NS + "/calendars/holidays", "{}").status()).isLessThan(300);
    await()
        .atMost(LIMIT)
        .until(() -> server
                .post(
                    NS + "/tasks",
                    "{\"id\": \"hidden-task\", \"executor\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\"}, \"retry\": {\"max\": 0}}")
                .status()
            == 201);
    await()
        .atMost(LIMIT)
        .until(() -> text(server.get(NS + "/tasks/hidden-task"), "state").equals("failed"));
    delete();
    createAgain();
    assertThat(server.get(NS + "/secrets").body().toString()).doesNotContain("billing");
    assertThat(server.get(NS + "/tasks/hidden-task").status()).isEqualTo(404);
    assertThat(server.get(NS + "/tasks").body().toString()).doesNotContain("hidden-task");
    assertThat(server.get(NS + "/calendars").body().toString()).doesNotContain("holidays");
    assertThat(server.get(NS + "/audit").body().toString()).doesNotContain("putSecret");
  }

  @Test
  void what_it_left_does_not_come_back_after_a_restart_either() {
    String token = text(token(NS, "admin"), "token");
    server.put(NS + "/secrets/billing", "{\"value\": \"x\", \"destinations\": [\"script\"]}");
    delete();
    server.close();
    server = new RunningServer(data, "limit.loginRate=100000");
    createAgain();
    assertThat(server.ask("GET", NS + "/secrets", "", token).status()).isEqualTo(401);
    assertThat(server.get(NS + "/secrets").body().toString()).doesNotContain("billing");
  }

  @Test
  void its_streams_end() throws Exception {
    HttpResponse<InputStream> stream = server.open("GET", NS + "/events", "", server.admin());
    assertThat(stream.statusCode()).isEqualTo(200);
    delete();
    try (InputStream in = stream.body()) {
      assertThat(in.readAllBytes()).as("what was sent until the end").isNotEmpty();
    }
  }

  @Test
  void an_admin_of_all_namespaces_revokes_any_token_by_its_id() {
    Reply made = token(NS, "viewer");
    String id = text(made, "id");
    assertThat(server.get("/api/v1/tokens").body().toString()).contains(id);
    String local = text(token(NS, "admin"), "token");
    assertThat(server.ask("GET", "/api/v1/tokens", "", local).status()).isEqualTo(403);
    assertThat(server.ask("DELETE", "/api/v1/tokens/" + id, "", local).status()).isEqualTo(403);
    assertThat(server.delete("/api/v1/tokens/" + id).status()).isEqualTo(204);
    assertThat(server.ask("GET", "/api/v1/me", "", text(made, "token")).status())
        .isEqualTo(401);
    assertThat(server.delete("/api/v1/tokens/" + id).status()).isEqualTo(404);
  }

  @Test
  void the_tokens_of_a_deleted_namespace_are_swept() {
    String id = text(token(NS, "viewer"), "id");
    delete();
    await()
        .atMost(LIMIT)
        .until(() -> !server.get("/api/v1/tokens").body().toString().contains(id));
  }

  @Test
  void a_request_that_began_before_does_nothing_to_the_new_one() throws Exception {
    String token = text(token(NS, "admin"), "token");
    String body = "{\"name\": \"late\", \"role\": \"admin\"}";
    String secret = "{\"value\": \"late\", \"destinations\": [\"*\"]}";
    int port = server.api().port();
    try (var making = new Unfinished(port, "POST", NS + "/tokens", token, body.length());
        var storing = new Unfinished(port, "PUT", NS + "/secrets/late", token, secret.length())) {
      making.send(body.substring(0, 5));
      storing.send(secret.substring(0, 5));
      awaitBodies(2);
      delete();
      createAgain();
      making.send(body.substring(5));
      storing.send(secret.substring(5));
      assertThat(making.status()).isEqualTo(401);
      assertThat(storing.status()).isEqualTo(401);
    }
    assertThat(server.get(NS + "/tokens").body().toString()).doesNotContain("late");
    assertThat(server.get(NS + "/secrets").body().toString()).doesNotContain("late");
  }

  /** An admin of all namespaces may change the new one, but did not mean it. */
  @Test
  void a_request_of_an_admin_of_all_that_began_before_does_nothing_to_the_new_one()
      throws Exception {
    String token = "{\"name\": \"late\", \"role\": \"admin\"}";
    String secret = "{\"value\": \"late\", \"destinations\": [\"*\"]}";
    String pause = "{\"reason\": \"late\"}";
    int port = server.api().port();
    String admin = server.admin();
    try (var making = new Unfinished(port, "POST", NS + "/tokens", admin, token.length());
        var storing = new Unfinished(port, "PUT", NS + "/secrets/late", admin, secret.length());
        var saving = new Unfinished(port, "PUT", NS + "/calendars/late", admin, 2);
        var pausing = new Unfinished(port, "POST", NS + "/cluster/pause", admin, pause.length())) {
      making.send(token.substring(0, 5));
      storing.send(secret.substring(0, 5));
      saving.send("{");
      pausing.send(pause.substring(0, 5));
      awaitBodies(4);
      delete();
      createAgain();
      making.send(token.substring(5));
      storing.send(secret.substring(5));
      saving.send("}");
      pausing.send(pause.substring(5));
      assertThat(making.status()).isEqualTo(404);
      assertThat(storing.status()).isEqualTo(404);
      assertThat(saving.status()).isIn(404, 503);
      assertThat(pausing.status()).isEqualTo(404);
    }
    assertThat(server.get(NS + "/tokens").body().toString()).doesNotContain("late");
    assertThat(server.get(NS + "/secrets").body().toString()).doesNotContain("late");
    assertThat(server.get(NS + "/calendars").body().toString()).doesNotContain("late");
    assertThat(server.get(NS + "/cluster").body().path("paused").asBoolean()).isFalse();
    assertThat(server.get(NS + "/audit").body().toString())
        .as("its audit log has nothing of them either")
        .doesNotContain("late");
  }

  @Test
  void a_token_that_is_revoked_while_its_request_arrives_makes_no_other() throws Exception {
    Reply made = token(NS, "admin");
    String body = "{\"name\": \"late\", \"role\": \"admin\"}";
    try (var making = new Unfinished(
        server.api().port(), "POST", NS + "/tokens", text(made, "token"), body.length())) {
      making.send(body.substring(0, 5));
      awaitBodies(1);
      assertThat(server.delete(NS + "/tokens/" + text(made, "id")).status()).isEqualTo(204);
      making.send(body.substring(5));
      assertThat(making.status()).isEqualTo(401);
    }
    assertThat(server.get(NS + "/tokens").body().toString()).doesNotContain("late");
  }

  /** Tasks and jobs that are accepted by some while others delete the namespace. */
  @Test
  void what_was_accepted_while_it_is_deleted_is_not_lost() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String ns = ROOT + "/race-" + round;
      assertThat(server.post(ROOT, "{\"name\": \"race-" + round + "\"}").status())
          .isEqualTo(201);
      await().atMost(LIMIT).until(() -> server.get(ns).status() == 200);
      var accepted = new ConcurrentLinkedQueue<String>();
      var begin = new CyclicBarrier(5);
      var adding = new ArrayList<Future<Integer>>();
      int status;
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 4; i++) {
          int number = i;
          adding.add(threads.submit(() -> {
            begin.await();
            for (int n = 0; n < 3; n++) {
              add(ns, number, n).ifPresent(accepted::add);
            }
            return number;
          }));
        }
        begin.await();
        status = server.delete(ns).status();
      }
      for (Future<Integer> each : adding) {
        assertThat(each.get()).isNotNegative();
      }
      assertThat(status).isIn(204, 409);
      if (status == 204) {
        assertThat(accepted).as("accepted in round %d, and deleted", round).isEmpty();
      } else {
        accepted.forEach(path -> assertThat(server.get(path).status()).as(path).isEqualTo(200));
      }
    }
  }

  /** A task or a job; its path, if it was accepted. */
  private Optional<String> add(String ns, int thread, int number) {
    String name = "n-" + thread + "-" + number;
    String local = "\"executor\": {\"type\": \"local\", \"handler\": \"nobody\"}";
    if (thread % 2 == 0) {
      Reply task =
          server.post(ns + "/tasks", "{\"id\": \"" + name + "\", \"in\": \"1h\", " + local + "}");
      return task.status() == 201 ? Optional.of(ns + "/tasks/" + name) : Optional.empty();
    }
    Reply job = server.put(ns + "/jobs/" + name, "{" + local + "}");
    return job.status() == 201 ? Optional.of(ns + "/jobs/" + name) : Optional.empty();
  }

  /** Until the server waits for so many bodies: the gate has let them in. */
  private void awaitBodies(int count) {
    await()
        .atMost(LIMIT)
        .until(() -> server
            .get("/metrics")
            .body()
            .path("text")
            .asString()
            .contains("belfry_http_connections{phase=\"body\"} " + count));
  }
}
