package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import io.belfry.executors.TestServer.Received;
import io.belfry.executors.http.Caller.Background;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long work: the target answers at once, and calls back over a real connection when it is done. */
@Timeout(120)
class CallbacksTest {

  /** What the server of a worker does: one address for each attempt, good for one call. */
  private static final class Desk implements Callbacks {
    private final TestServer server = TestServer.start(this::told);
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    @Override
    public Optional<Callback> open(AttemptContext attempt) {
      String path = "/callbacks/one-time-" + attempt.token();
      var one = new Waiting(
          URI.create(server.url(path)), () -> waiting.remove(path), new ArrayBlockingQueue<>(1));
      waiting.put(path, one);
      return Optional.of(one);
    }

    private void told(Received request, Socket socket) throws IOException {
      Waiting one = waiting.get(request.target());
      if (one == null) {
        TestServer.answer(socket, "404 Not Found", "", "");
      } else {
        one.told().add(request.body());
        TestServer.answer(socket, "204 No Content", "", "");
      }
    }
  }

  private record Waiting(URI url, Runnable closing, BlockingQueue<String> told)
      implements Callbacks.Callback {
    @Override
    public Result await() throws InterruptedException, AttemptException {
      String text = told.take();
      if (text.startsWith("failed")) {
        throw new AttemptException(Failure.error(text));
      }
      return new Result(0, "told", Payload.json(text));
    }

    @Override
    public void close() {
      closing.run();
    }
  }

  private final Desk desk = new Desk();
  private final Caller caller = Caller.with(desk);
  private volatile String status = "202 Accepted";
  private final TestServer target =
      TestServer.start((request, socket) -> TestServer.answer(socket, status, "", "taken"));

  @AfterEach
  void close() {
    caller.close();
    target.close();
    desk.server.close();
  }

  private static int post(String url, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(url))
          .POST(HttpRequest.BodyPublishers.ofString(body))
          .build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void the_attempt_ends_when_the_target_calls_back() throws Exception {
    var attempt = TestAttempt.of(spec(
        "url",
        target.url("/run"),
        "complete",
        "callback",
        "body",
        Map.of("tell", "${callback.url}")));
    var result = new CompletableFuture<Result>();
    Thread.ofVirtual().start(() -> {
      try {
        result.complete(caller.executor.execute(attempt));
      } catch (Exception e) {
        result.completeExceptionally(e);
      }
    });
    target.awaitRequest();
    String url = target.only().header("Belfry-Callback");
    assertThat(url).startsWith("http://127.0.0.1:").contains("/callbacks/one-time-");
    assertThat(target.only().body()).isEqualTo("{\"tell\":\"" + url + "\"}");
    assertThat(result).isNotDone();
    assertThat(post(url, "{\"rows\": 12}")).isEqualTo(204);
    assertThat(result.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Result(0, "told", Payload.json("{\"rows\": 12}")));
    assertThat(post(url, "{\"rows\": 13}")).isEqualTo(404);
    assertThat(attempt.logged()).noneMatch(line -> line.contains("one-time"));
  }

  @Test
  void a_target_that_calls_back_before_it_answers_is_heard() throws Exception {
    try (TestServer hasty = TestServer.start((request, socket) -> {
      post(request.header("Belfry-Callback"), "[1]");
      TestServer.answer(socket, "200 OK", "", "");
    })) {
      Result result = caller.call(spec("url", hasty.url("/"), "complete", "callback"));
      assertThat(result.data()).isEqualTo(Payload.json("[1]"));
    }
  }

  @Test
  void auto_waits_only_after_202() throws Exception {
    status = "200 OK";
    assertThat(
            caller.call(spec("url", target.url("/"), "complete", "auto")).data().text())
        .isEqualTo("taken");
    try (TestServer accepts = TestServer.start((request, socket) -> {
      post(request.header("Belfry-Callback"), "[2]");
      TestServer.answer(socket, "202 Accepted", "", "");
    })) {
      Result result = caller.call(spec("url", accepts.url("/"), "complete", "auto"));
      assertThat(result.data()).isEqualTo(Payload.json("[2]"));
    }
    assertThat(desk.waiting).isEmpty();
  }

  @Test
  void by_default_202_is_an_ordinary_success() throws Exception {
    assertThat(caller.call(spec("url", target.url("/"))).code()).isEqualTo(202);
    assertThat(target.only().header("Belfry-Callback")).isEmpty();
  }

  @Test
  void a_failure_that_is_told_fails_the_attempt() throws Exception {
    try (TestServer fails = TestServer.start((request, socket) -> {
      post(request.header("Belfry-Callback"), "failed with " + request.header("X-Key"));
      TestServer.answer(socket, "202 Accepted", "", "");
    })) {
      Failure failure = caller.failure(spec(
          "url",
          fails.url("/"),
          "complete",
          "callback",
          "headers",
          Map.of("X-Key", "${secret:token}")));
      assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
      assertThat(failure.result().message()).isEqualTo("failed with (secret token)");
    }
  }

  @Test
  void a_target_that_refuses_is_not_waited_for() {
    status = "400 Bad Request";
    assertThat(
            caller.failure(spec("url", target.url("/"), "complete", "callback")).kind())
        .isEqualTo(FailureKind.REJECTED);
    assertThat(desk.waiting).isEmpty();
  }

  @Test
  void an_interrupted_wait_closes_the_address() throws Exception {
    Background call =
        caller.inBackground(TestAttempt.of(spec("url", target.url("/"), "complete", "callback")));
    target.awaitRequest();
    String url = target.only().header("Belfry-Callback");
    call.thread().interrupt();
    assertThat(call.thrown().get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(desk.waiting).isEmpty();
    assertThat(post(url, "[]")).isEqualTo(404);
  }

  @Test
  void the_address_does_not_follow_a_redirect_to_another_origin() {
    try (TestServer sends = TestServer.start((request, socket) ->
        TestServer.answer(socket, "307 Temporary Redirect", "Location: " + target.url("/"), ""))) {
      Failure failure =
          caller.failure(spec("url", sends.url("/"), "complete", "callback", "redirects", 1L));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(target.connections()).isZero();
    }
  }

  @Test
  void a_worker_without_an_address_rejects() {
    try (Caller unreachable = Caller.usual()) {
      assertThatThrownBy(
              () -> unreachable.call(spec("url", target.url("/"), "complete", "callback")))
          .hasMessageContaining("has no callback address");
      assertThat(target.connections()).isZero();
    }
  }
}
