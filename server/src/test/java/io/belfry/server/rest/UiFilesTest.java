package io.belfry.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of the folder {@code ui} of the test resources, on a server that has nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts it before anything else
class UiFilesTest {
  private static final String SCRIPT = "/assets/app-1a2b3c4d.js";

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private Javalin server;

  @BeforeAll
  void start() {
    server = Javalin.create(config -> {
          config.startup.showJavalinBanner = false;
          new UiFiles().bind(config);
        })
        .start("127.0.0.1", 0);
  }

  @AfterAll
  void stop() {
    server.stop();
    http.close();
  }

  private HttpResponse<byte[]> ask(String method, String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(30))
        .method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<byte[]> get(String path, String... headers) {
    return ask("GET", path, headers);
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), UTF_8);
  }

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Nested
  class Pages {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "/",
          "/login",
          "/ns",
          "/ns/default/jobs",
          "/ns/default/tasks/a%402026-01-01T00:00:00Z"
        })
    void all_lead_to_the_one_document(String path) {
      HttpResponse<byte[]> answer = get(path);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(text(answer)).contains("a page");
      assertThat(header(answer, "Content-Type")).startsWith("text/html").contains("utf-8");
      assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void allow_only_styles_with_a_nonce_that_is_never_used_again() {
      HttpResponse<byte[]> first = get("/");
      HttpResponse<byte[]> second = get("/");
      String nonce = nonce(first);
      assertThat(nonce).hasSizeGreaterThanOrEqualTo(20).isNotEqualTo(nonce(second));
      assertThat(text(first)).contains("content=\"" + nonce + "\"");
      assertThat(text(first)).doesNotContain("__STYLE_NONCE__");
      assertThat(header(first, "Content-Security-Policy"))
          .contains("script-src 'self';")
          .doesNotContain("unsafe-inline", "unsafe-eval");
      assertThat(header(first, "ETag")).isEmpty();
    }

    private String nonce(HttpResponse<byte[]> page) {
      String policy = header(page, "Content-Security-Policy");
      int from = policy.indexOf("'nonce-") + "'nonce-".length();
      return policy.substring(from, policy.indexOf('\'', from));
    }

    @Test
    void of_other_addresses_are_not_there() {
      assertThat(get("/moon").statusCode()).isEqualTo(404);
      assertThat(get("/index.html").statusCode()).isEqualTo(404);
    }
  }

  @Nested
  class Files {
    @Test
    void may_be_kept_for_ever_because_their_names_change_with_them() {
      HttpResponse<byte[]> answer = get(SCRIPT);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(header(answer, "Content-Type")).startsWith("text/javascript");
      assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    }

    @Test
    void come_under_a_policy_that_lets_nothing_else_in() {
      HttpResponse<byte[]> answer = get(SCRIPT);
      assertThat(header(answer, "Content-Security-Policy"))
          .contains("default-src 'self'", "script-src 'self';", "frame-ancestors 'none'")
          .contains("base-uri 'none'")
          .doesNotContain("unsafe-eval", "unsafe-inline", "http:", "*");
      assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
    }

    @Test
    void that_are_not_there_are_a_problem_that_nobody_keeps() {
      HttpResponse<byte[]> answer = get("/assets/app-0000.js");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(text(answer)).contains("notFound").contains("Load the page again");
      assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "/assets/notes.txt",
          "/assets/../secret.js",
          "/assets/..%2fsecret.js",
          "/assets/%2e%2e/secret.js",
          "/assets/%2e%2e%2fsecret.js",
          "/assets/..%5csecret.js",
          "/assets/%252e%252e%252fsecret.js",
          "/assets//etc/passwd",
          "/assets/%2fetc%2fpasswd",
          "/assets/app-1a2b3c4d.js%00.css",
          "/assets/",
          "/secret.js"
        })
    void beyond_the_folder_are_out_of_reach(String path) {
      HttpResponse<byte[]> answer = get(path);
      assertThat(answer.statusCode()).isIn(400, 404);
      assertThat(text(answer)).doesNotContain("not below assets", "not for browsers", "root:");
    }
  }

  @Nested
  class Compression {
    @Test
    void is_used_where_it_is_asked_for() throws IOException {
      HttpResponse<byte[]> plain = get(SCRIPT);
      HttpResponse<byte[]> small = get(SCRIPT, "Accept-Encoding", "br, gzip;q=0.8");
      assertThat(header(small, "Content-Encoding")).isEqualTo("gzip");
      assertThat(small.body().length).isLessThan(plain.body().length / 4);
      var unpacked = new GZIPInputStream(new ByteArrayInputStream(small.body())).readAllBytes();
      assertThat(unpacked).isEqualTo(plain.body());
    }

    @Test
    void tells_those_between_that_there_are_two_forms() {
      assertThat(header(get(SCRIPT), "Vary")).isEqualTo("Accept-Encoding");
      assertThat(header(get(SCRIPT, "Accept-Encoding", "gzip"), "Vary"))
          .isEqualTo("Accept-Encoding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip;q=0", "gzip; q=0.0", "deflate", "xgzip"})
    void is_not_used_where_it_is_not(String accepted) {
      HttpResponse<byte[]> answer = get(SCRIPT, "Accept-Encoding", accepted);
      assertThat(header(answer, "Content-Encoding")).isEmpty();
      assertThat(text(answer)).contains("the same words");
    }
  }

  @Nested
  class Head {
    @Test
    void answers_as_get_would_without_the_body() {
      for (String path : new String[] {"/", "/ns/default/jobs", SCRIPT}) {
        HttpResponse<byte[]> get = get(path);
        HttpResponse<byte[]> head = ask("HEAD", path);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        for (String name : new String[] {
          "Content-Type", "Cache-Control", "ETag", "Content-Security-Policy", "Content-Length"
        }) {
          assertThat(plain(header(head, name)))
              .as(path + " " + name)
              .isEqualTo(plain(header(get, name)));
        }
      }
    }

    private static String plain(String header) {
      return header.replaceAll("'nonce-[^']+'", "'nonce'");
    }

    @Test
    void of_what_is_not_there_says_so() {
      assertThat(ask("HEAD", "/assets/app-0000.js").statusCode()).isEqualTo(404);
    }
  }
}
