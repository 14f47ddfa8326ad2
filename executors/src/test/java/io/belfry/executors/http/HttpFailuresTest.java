package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import io.belfry.executors.TestServer.Handler;
import io.belfry.executors.http.Caller.Background;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.testkit.engine.Ports;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Targets that behave badly, and attempts that are stopped. */
@Timeout(120)
class HttpFailuresTest {
  private final Caller caller = Caller.usual();
  private TestServer server = TestServer.start((request, socket) -> {});
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() {
    never.countDown();
    caller.close();
    server.close();
  }

  private void behaving(Handler handler) {
    server.close();
    server = TestServer.start(handler);
  }

  private Failure failure(Object... more) {
    var settings = new Object[more.length + 2];
    settings[0] = "url";
    settings[1] = server.url("/");
    System.arraycopy(more, 0, settings, 2, more.length);
    return caller.failure(spec(settings));
  }

  @Nested
  class Targets {
    @Test
    void that_never_answer_are_given_up() throws Exception {
      Failure failure = failure("timeout", "300ms");
      assertThat(failure.kind()).isEqualTo(FailureKind.TIMEOUT);
      assertThat(failure.result().message()).contains("got no complete response within 300ms");
      server.awaitEnd();
    }

    @Test
    void that_never_answer_are_given_up_when_the_task_says_so() {
      var attempt = TestAttempt.of(spec("url", server.url("/"), "timeout", "1h"))
          .timeout(Duration.ofMillis(300));
      assertThat(caller.failure(attempt).kind()).isEqualTo(FailureKind.TIMEOUT);
    }

    @Test
    void that_drip_bytes_are_given_up_likewise() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        while (!never.await(20, TimeUnit.MILLISECONDS)) {
          TestServer.write(socket, "x");
        }
      });
      assertThat(failure("timeout", "400ms").kind()).isEqualTo(FailureKind.TIMEOUT);
      server.awaitEnd();
    }

    @Test
    void that_drip_headers_are_given_up_likewise() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(socket, "HTTP/1.1 200 OK\r\nX-Slow: ");
        while (!never.await(20, TimeUnit.MILLISECONDS)) {
          TestServer.write(socket, "x");
        }
      });
      assertThat(failure("timeout", "400ms").kind()).isEqualTo(FailureKind.TIMEOUT);
      server.awaitEnd();
    }

    @Test
    void that_close_without_an_answer_are_broken() {
      behaving((request, socket) -> socket.close());
      Failure failure = failure();
      assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
      assertThat(failure.result().message()).contains("failed before its response was complete");
      assertThat(failure("retryOn", List.of("connect", "5xx")).kind())
          .isEqualTo(FailureKind.REJECTED);
    }

    @Test
    void that_close_in_the_middle_are_broken() {
      behaving((request, socket) -> {
        TestServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it");
        socket.close();
      });
      assertThat(failure().result().message()).contains("failed before its response was complete");
    }

    @Test
    void that_take_their_time_are_waited_for_longer_than_an_unused_connection_is_kept()
        throws Exception {
      behaving((request, socket) -> {
        assertThat(never.await(1200, TimeUnit.MILLISECONDS)).isFalse();
        TestServer.answer(socket, "200 OK", "", "slow");
      });
      try (Caller hasty = Caller.with(
          HttpSettings.defaults().withIdle(Duration.ofMillis(200)), (host, until) -> List.of())) {
        assertThat(hasty.call(spec("url", server.url("/"))).data().text()).isEqualTo("slow");
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> hasty.executor.connections() == 0);
      }
    }

    @Test
    void that_speak_something_else_are_broken() {
      behaving((request, socket) -> {
        TestServer.write(socket, "SSH-2.0-OpenSSH_9.2\r\n\r\n");
        socket.close();
      });
      assertThat(failure().kind()).isEqualTo(FailureKind.ERROR);
    }

    @Test
    void that_send_huge_headers_are_broken() {
      behaving((request, socket) ->
          TestServer.answer(socket, "200 OK", "X-Huge: " + "x".repeat(40_000), "body"));
      Failure failure = failure();
      assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
      assertThat(failure.result().message()).contains("failed before its response was complete");
    }

    @Test
    void that_nobody_listens_for_cannot_be_reached() {
      Failure failure = caller.failure(spec("url", "http://127.0.0.1:" + Ports.free() + "/"));
      assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
      assertThat(failure.result().message()).contains("could not connect");
      assertThat(caller
              .failure(spec("url", "http://no-such-host.invalid/"))
              .result()
              .message())
          .contains("the host name no-such-host.invalid could not be resolved");
    }

    @Test
    void that_say_less_than_they_send_do_not_disturb_the_next_call() throws Exception {
      behaving((request, socket) -> TestServer.write(
          socket, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodyHTTP/1.1 500 Evil\r\n\r\n"));
      assertThat(caller.call(spec("url", server.url("/"))).data().text()).isEqualTo("body");
      assertThat(caller.call(spec("url", server.url("/"))).data().text()).isEqualTo("body");
    }

    @Test
    void that_change_the_protocol_unasked_are_not_followed_there() {
      behaving((request, socket) -> TestServer.write(
          socket, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"));
      Failure failure = failure("timeout", "2s");
      assertThat(failure.kind()).isNotEqualTo(FailureKind.LOST);
      assertThat(failure.result().code()).isIn(1, 101);
    }

    @Test
    void that_send_both_lengths_are_not_believed() {
      behaving((request, socket) -> TestServer.write(
          socket, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nbodybody!"));
      assertThat(failure().kind()).isEqualTo(FailureKind.ERROR);
    }
  }

  @Nested
  class Answers {
    @Test
    void of_a_hundred_megabytes_are_cut_and_the_rest_is_not_read() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(
            socket,
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 104857600\r\n\r\n");
        pour(socket, 100);
      });
      Result result = caller.call(spec("url", server.url("/")));
      assertThat(result.code()).isEqualTo(200);
      assertThat(result.message())
          .isEqualTo("OK (the response had more than 1048576 bytes and was truncated)");
      assertThat(result.data().size()).isLessThanOrEqualTo(Payload.DEFAULT_LIMIT);
      assertThat(result.data().text())
          .startsWith("xxx")
          .endsWith("… (truncated here; the response had more than 1048576 bytes)");
      server.awaitEnd();
    }

    private void pour(Socket socket, int megabytes) throws Exception {
      OutputStream out = socket.getOutputStream();
      byte[] megabyte = "x".repeat(1024 * 1024).getBytes(US_ASCII);
      for (int i = 0; i < megabytes; i++) {
        out.write(megabyte);
      }
    }

    @Test
    void of_more_than_may_be_kept_are_cut() throws Exception {
      behaving((request, socket) -> TestServer.answer(
          socket, "200 OK", "Content-Type: application/json", "\"" + "ü".repeat(200_000) + "\""));
      Result result = caller.call(spec("url", server.url("/")));
      assertThat(result.data().contentType()).isEqualTo("text/plain");
      assertThat(result.data().size()).isLessThanOrEqualTo(Payload.DEFAULT_LIMIT);
      assertThat(result.data().text()).contains("… (truncated here").doesNotContain("\uFFFD");
    }

    @Test
    void that_are_no_text_are_told_and_not_kept() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(
            socket, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\n");
        socket.getOutputStream().write(new byte[] {(byte) 0x89, 'P', 0, (byte) 0xff});
      });
      Result result = caller.call(spec("url", server.url("/")));
      assertThat(result.data().isEmpty()).isTrue();
      assertThat(result.message())
          .isEqualTo("OK (4 bytes of image/png were not stored, because they are not text)");
    }

    @Test
    void in_another_charset_are_read_in_it() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(
            socket,
            "HTTP/1.1 200\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Length: 1\r\n\r\n");
        socket.getOutputStream().write(0xfc);
      });
      Result result = caller.call(spec("url", server.url("/")));
      assertThat(result.data().text()).isEqualTo("ü");
      assertThat(result.message()).isEqualTo("OK");
    }

    @Test
    void that_are_compressed_are_not_blown_up() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(
            socket,
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: application/x\r\nContent-Length: 3\r\n\r\n");
        socket.getOutputStream().write(new byte[] {0x1f, (byte) 0x8b, 8});
      });
      assertThat(caller.call(spec("url", server.url("/"))).message()).contains("3 bytes");
    }

    @Test
    void that_come_in_chunks_are_put_together() throws Exception {
      behaving((request, socket) -> TestServer.write(
          socket,
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n"));
      Result result = caller.call(spec("url", server.url("/")));
      assertThat(result.data()).isEqualTo(Payload.json("[1,2]"));
    }

    @Test
    void are_waited_for_after_early_ones() throws Exception {
      behaving((request, socket) -> {
        TestServer.write(
            socket,
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
        TestServer.answer(socket, "200 OK", "", "done");
      });
      assertThat(caller.call(spec("url", server.url("/"))).data().text()).isEqualTo("done");
    }

    @Test
    void to_a_head_have_no_body() throws Exception {
      behaving((request, socket) ->
          TestServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));
      assertThat(caller.call(spec("url", server.url("/"), "method", "HEAD")).code())
          .isEqualTo(200);
    }
  }

  @Nested
  class Interruptions {
    @Test
    void end_the_exchange_at_once_and_the_target_sees_it() throws Exception {
      Background call = caller.inBackground(TestAttempt.of(spec("url", server.url("/"))));
      server.awaitRequest();
      call.thread().interrupt();
      assertThat(call.thrown().get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
      server.awaitEnd();
    }

    @Test
    void end_an_answer_that_is_under_way() throws Exception {
      var half = new CountDownLatch(1);
      behaving((request, socket) -> {
        TestServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        half.countDown();
      });
      Background call = caller.inBackground(TestAttempt.of(spec("url", server.url("/"))));
      assertThat(half.await(30, TimeUnit.SECONDS)).isTrue();
      call.thread().interrupt();
      assertThat(call.thrown().get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
      server.awaitEnd();
    }

    @Test
    void leave_others_alone_and_their_counts_right() throws Exception {
      behaving((request, socket) -> {
        if (request.target().equals("/quick")) {
          TestServer.answer(socket, "200 OK", "", "quick");
        }
      });
      Background stuck = caller.inBackground(TestAttempt.of(spec("url", server.url("/stuck"))));
      server.awaitRequest();
      assertThat(caller.call(spec("url", server.url("/quick"))).data().text()).isEqualTo("quick");
      assertThat(caller.executor.connections()).isEqualTo(2);
      stuck.thread().interrupt();
      stuck.thrown().get(30, TimeUnit.SECONDS);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> caller.executor.connections() == 1);
    }
  }

  @Test
  void many_calls_at_once_all_end() throws Exception {
    behaving((request, socket) -> TestServer.answer(socket, "200 OK", "", request.body()));
    int calls = 500;
    var done = new CountDownLatch(calls);
    for (int i = 0; i < calls; i++) {
      var spec = spec("url", server.url("/" + i), "body", Map.of("n", (long) i));
      Thread.ofVirtual().start(() -> {
        try {
          if (caller.call(spec).code() == 200) {
            done.countDown();
          }
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      });
    }
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
