package io.belfry.testkit.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * etcd's JSON door: what an operator would do with etcdctl, without etcdctl.
 *
 * <p>Threading: immutable.
 */
public final class EtcdGateway {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
  private static final Pattern ALARM =
      Pattern.compile("\\{\"memberID\":\"(\\d+)\",\"alarm\":\"NOSPACE\"\\}");

  private final String url;

  EtcdGateway(String url) {
    this.url = url;
  }

  /** Whether the member has a leader and serves. */
  boolean isHealthy() {
    try {
      HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url + "/health"))
          .timeout(Duration.ofSeconds(2))
          .build());
      return answer.body().contains("\"health\":\"true\"");
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  /** The member's answer to {@code json}; throws with etcd's words when it refuses. */
  public String post(String path, String json) {
    HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url + path))
        .timeout(PATIENCE)
        .POST(HttpRequest.BodyPublishers.ofString(json))
        .build());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(
          "etcd refused " + path + " with " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  public long revision() {
    return number(REVISION, post("/v3/kv/range", "{\"key\":\"AA==\"}"));
  }

  /** Forgets all history up to now. */
  public void compact() {
    post("/v3/kv/compaction", "{\"revision\":\"" + revision() + "\",\"physical\":true}");
  }

  public void put(String key, String value) {
    post("/v3/kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
  }

  /** Gives the file's free pages back, and lets writes in again. */
  public void defragmentAndDisarm() {
    post("/v3/maintenance/defragment", "{}");
    Matcher alarms = ALARM.matcher(post("/v3/maintenance/alarm", "{\"action\":\"GET\"}"));
    while (alarms.find()) {
      post(
          "/v3/maintenance/alarm",
          "{\"action\":\"DEACTIVATE\",\"memberID\":\"" + alarms.group(1)
              + "\",\"alarm\":\"NOSPACE\"}");
    }
  }

  /** A user who may read and write from one key up to another, and a root; from now on everybody must say who he is. */
  public void enableAuthentication(String user, String password, String from, String to) {
    post("/v3/auth/user/add", "{\"name\":\"root\",\"password\":\"root-" + password + "\"}");
    post("/v3/auth/role/add", "{\"name\":\"root\"}");
    post("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
    post("/v3/auth/user/add", "{\"name\":\"" + user + "\",\"password\":\"" + password + "\"}");
    post("/v3/auth/role/add", "{\"name\":\"belfry\"}");
    post(
        "/v3/auth/role/grant",
        "{\"name\":\"belfry\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64(from)
            + "\",\"range_end\":\"" + base64(to) + "\"}}");
    post("/v3/auth/user/grant", "{\"user\":\"" + user + "\",\"role\":\"belfry\"}");
    post("/v3/auth/enable", "{}");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static long number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("No " + pattern + " in " + text);
    }
    return Long.parseLong(matcher.group(1));
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try (HttpClient client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(2))
        .build()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("etcd's JSON door did not answer.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for etcd", e);
    }
  }
}
