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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSON gateway of etcd: operations that an operator would do with etcdctl.
 *
 * <p>Threading: immutable.
 */
public final class EtcdGateway {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
  private static final Pattern ALARM =
      Pattern.compile("\\{\"memberID\":\"(\\d+)\",\"alarm\":\"NOSPACE\"\\}");

  private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

  private final String url;
  private final Optional<String> token;

  EtcdGateway(String url) {
    this(url, Optional.empty());
  }

  private EtcdGateway(String url, Optional<String> token) {
    this.url = url;
    this.token = token;
  }

  /** The same gateway, authenticated as this user. */
  public EtcdGateway as(String user, String password) {
    String answer = post(
        "/v3/auth/authenticate", "{\"name\":\"" + user + "\",\"password\":\"" + password + "\"}");
    Matcher matcher = TOKEN.matcher(answer);
    if (!matcher.find()) {
      throw new IllegalStateException("No token in " + answer);
    }
    return new EtcdGateway(url, Optional.of(matcher.group(1)));
  }

  /** Whether the member has a leader and is healthy. */
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

  /** Posts {@code json} and returns the response; throws with etcd's error message. */
  public String post(String path, String json) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
        .timeout(PATIENCE)
        .POST(HttpRequest.BodyPublishers.ofString(json));
    token.ifPresent(who -> request.header("Authorization", who));
    HttpResponse<String> answer = send(request.build());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(
          "etcd refused " + path + " with " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  public long revision() {
    return number(REVISION, post("/v3/kv/range", "{\"key\":\"AA==\"}"));
  }

  /** The value of the member's metric with this name. */
  public long metric(String name) {
    HttpResponse<String> answer = send(
        HttpRequest.newBuilder(URI.create(url + "/metrics")).timeout(PATIENCE).build());
    return answer
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("etcd has no metric " + name));
  }

  /** Compacts the whole history up to now. */
  public void compact() {
    post("/v3/kv/compaction", "{\"revision\":\"" + revision() + "\",\"physical\":true}");
  }

  public void put(String key, String value) {
    post("/v3/kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
  }

  /** Deletes all keys. */
  public void deleteAll() {
    post("/v3/kv/deleterange", "{\"key\":\"AA==\",\"range_end\":\"AA==\"}");
  }

  /** Defragments the database and disarms the space alarm. */
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

  /** Enables authentication, with a root user and a user who may read and write a range of keys. */
  public void enableAuthentication(String user, String password, String from, String to) {
    post("/v3/auth/user/add", "{\"name\":\"root\",\"password\":\"root-" + password + "\"}");
    post("/v3/auth/role/add", "{\"name\":\"root\"}");
    post("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
    post("/v3/auth/user/add", "{\"name\":\"" + user + "\",\"password\":\"" + password + "\"}");
    post("/v3/auth/role/add", "{\"name\":\"belfry\"}");
    grantPermission(from, to);
    post("/v3/auth/user/grant", "{\"user\":\"" + user + "\",\"role\":\"belfry\"}");
    post("/v3/auth/enable", "{}");
  }

  /** Grants a range of keys to the user of {@link #enableAuthentication}. */
  public void grantPermission(String from, String to) {
    post(
        "/v3/auth/role/grant",
        "{\"name\":\"belfry\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64(from)
            + "\",\"range_end\":\"" + base64(to) + "\"}}");
  }

  /** Revokes the grant of exactly this range of keys. */
  public void revokePermission(String from, String to) {
    post(
        "/v3/auth/role/revoke",
        "{\"role\":\"belfry\",\"key\":\"" + base64(from) + "\",\"range_end\":\"" + base64(to)
            + "\"}");
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
      throw new UncheckedIOException("The JSON gateway of etcd did not respond.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for etcd", e);
    }
  }
}
