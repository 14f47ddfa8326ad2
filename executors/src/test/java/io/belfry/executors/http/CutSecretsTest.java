package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import io.belfry.executors.TestServer.Handler;
import io.belfry.executors.secret.SecretValue;
import io.belfry.model.task.Result;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Everything that is shown is bounded, and a target decides where its text is cut: it may send a secret back so that the cut goes through it. No
 * piece of five characters may be left, in whatever letters.
 */
class CutSecretsTest {
  private static final String SECRET = "Zq7Rk2Wm9Xv4Tn8BpL3c";
  private static final int PIECE = 5;

  private final Caller caller = Caller.with(
      name -> Optional.of(SecretValue.unrestricted(name.equals("k") ? SECRET : SECRET.repeat(5))),
      Callbacks.NONE);
  private TestServer server = TestServer.start((request, socket) -> {});

  @AfterEach
  void close() {
    caller.close();
    server.close();
  }

  private void behaving(Handler handler) {
    server.close();
    server = TestServer.start(handler);
  }

  private static String padded(int before, int all) {
    return "x".repeat(before) + SECRET + "y".repeat(Math.max(0, all - before - SECRET.length()));
  }

  /** Calls with the secret, so that it is known, and looks at everything that is kept. */
  private String assertNoPiece(Object... settings) throws InterruptedException {
    var all = new ArrayList<Object>(List.of("url", server.url("/?k=${secret:k}")));
    all.addAll(List.of(settings));
    var attempt = TestAttempt.of(spec(all.toArray()));
    Result result;
    try {
      result = caller.executor.execute(attempt);
    } catch (AttemptException failed) {
      result = failed.failure().result();
    }
    assertNoPiece(result.message());
    assertNoPiece(result.data().text());
    attempt.logged().forEach(CutSecretsTest::assertNoPiece);
    return result.message();
  }

  private static void assertNoPiece(String shown) {
    String lower = shown.replace("\0", "").toLowerCase(Locale.ROOT);
    for (int i = 0; i + PIECE <= SECRET.length(); i++) {
      String piece = SECRET.substring(i, i + PIECE).toLowerCase(Locale.ROOT);
      if (lower.contains(piece)) {
        throw new AssertionError(piece + " is left of the secret in: " + shown);
      }
    }
  }

  @Test
  void in_the_value_that_should_be_there() throws Exception {
    for (int before = 0; before < 400; before += 3) {
      String value = padded(before, 450);
      behaving((request, socket) -> TestServer.answer(
          socket, "200 OK", "Content-Type: application/json", "{\"v\":\"" + value + "\"}"));
      assertThat(assertNoPiece("success", Map.of("path", "v", "equals", "done")))
          .contains("at v must be \"done\", but was ");
    }
  }

  @Test
  void in_the_beginning_of_a_failed_answer() throws Exception {
    for (int before = 0; before < 400; before += 7) {
      String body = padded(before, 500);
      behaving((request, socket) ->
          TestServer.answer(socket, "500 Oops", "Content-Type: text/plain", body));
      assertThat(assertNoPiece()).contains("returned 500 Oops: ");
    }
  }

  @Test
  void in_the_type_of_an_answer_that_is_not_kept() throws Exception {
    for (int before = 0; before < 150; before += 3) {
      String type = "image/" + padded(before, 180);
      behaving((request, socket) -> {
        TestServer.write(
            socket, "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: 1\r\n\r\n");
        socket.getOutputStream().write(0xff);
      });
      assertThat(assertNoPiece()).contains("were not stored, because they are not text");
    }
  }

  @Test
  void in_the_words_beside_a_status() throws Exception {
    for (int before = 2600; before < 4200; before += 11) {
      String words = padded(before, 6000);
      behaving((request, socket) -> TestServer.answer(socket, "404 " + words, "", ""));
      assertThat(assertNoPiece()).contains("returned 404 xx");
    }
  }

  @Test
  void in_an_address_that_is_long() throws Exception {
    behaving((request, socket) -> TestServer.answer(socket, "404 Not Found", "", ""));
    for (int before = 2600; before < 4200; before += 11) {
      assertThat(assertNoPiece(
              "query", Map.of("q", "x".repeat(before) + "${secret:k}" + "y".repeat(3000))))
          .contains("returned 404");
    }
  }

  @Test
  void in_the_place_of_a_redirect_that_cannot_be_followed() throws Exception {
    List<String> places = new ArrayList<>();
    for (int before = 0; before < 110; before += 3) {
      places.add("http://h:" + padded(before, 120) + "/");
      places.add("http://h_" + padded(before, 120) + "/");
      places.add("ftp://h/" + padded(before, 120));
      places.add("?[" + padded(before, 120));
    }
    places.add("http://" + SECRET + ".example.org/");
    places.add("http://h/\u00e4" + SECRET);
    for (String place : places) {
      behaving(
          (request, socket) -> TestServer.answer(socket, "302 Found", "Location: " + place, ""));
      assertThat(assertNoPiece("redirects", 3L)).contains("was not followed, because it");
    }
  }

  @Test
  void in_what_the_client_says_about_a_broken_answer() throws Exception {
    for (int before = 0; before < 330; before += 5) {
      String line = padded(before, 400);
      behaving((request, socket) -> {
        TestServer.write(socket, "HTTP/1.1 200 OK\r\n" + line + "\u0001\u0000\r\n\r\n");
        socket.close();
      });
      assertThat(assertNoPiece()).contains("failed before its response was complete");
    }
  }

  /** In which it is not found: each of its letters has a zero beside it. */
  @Test
  void in_json_that_is_not_in_the_charset_of_its_header() throws Exception {
    for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      byte[] body = ("{\"v\":\"" + SECRET + "\"}").getBytes(charset);
      behaving((request, socket) -> {
        TestServer.write(
            socket,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length
                + "\r\n\r\n");
        socket.getOutputStream().write(body);
      });
      assertThat(assertNoPiece()).contains("were not stored, because they are not text");
    }
  }

  /** What is taken out is longer than what is written instead, so that the end of what was read moves to the front. */
  @Test
  void at_the_end_of_what_was_read_of_a_long_answer() throws Exception {
    for (int before = 0; before < SECRET.length(); before++) {
      String body = "x".repeat(before) + SECRET.repeat(60_000);
      behaving((request, socket) ->
          TestServer.answer(socket, "200 OK", "Content-Type: text/plain", body));
      assertThat(assertNoPiece("headers", Map.of("X-Long", "${secret:long}")))
          .contains("and was truncated");
    }
  }
}
