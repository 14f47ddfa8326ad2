package io.belfry.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** A fake server over real HTTP: sends the responses in stand-in.yaml and records the requests. Threading: safe. */
final class StandIn implements AutoCloseable {
  static final String TOKEN = "bft_t0ken";

  /** Terminal control characters: CSI as one character, OSC, bell, DEL, NEL, and changes of text direction. */
  static final String CONTROLS =
      "\u009B2J\u001B]0;title\u0007\u007F\u0085\u2028\u061C\u200E\u202Egnp.exe\u2066\u206F";

  private static final String NAMESPACE = "/api/v1/namespaces/default/";
  private static final JsonNode ANSWERS = answers();

  /** A recorded request. */
  record Asked(String method, String address, Map<String, List<String>> headers, String body) {
    String line() {
      return method + " " + address;
    }

    String header(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }
  }

  /** A response that is not in the file. */
  @FunctionalInterface
  interface Reply {
    void to(HttpExchange exchange) throws IOException;
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private volatile boolean hostile;
  private volatile @Nullable Reply refusal;

  StandIn() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private static JsonNode answers() {
    try (InputStream in =
        Objects.requireNonNull(StandIn.class.getResourceAsStream("/stand-in.yaml"))) {
      return JsonMapper.shared()
          .valueToTree(new Load(LoadSettings.builder().build()).loadFromInputStream(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces the response to "METHOD path"; the path is below the namespace unless it begins with a slash. */
  StandIn on(String route, Reply reply) {
    replies.put(route, reply);
    return this;
  }

  StandIn on(String route, int status, String json) {
    return on(route, exchange -> send(exchange, status, json));
  }

  /** Adds {@link #CONTROLS} to all text in responses. */
  StandIn hostile() {
    hostile = true;
    return this;
  }

  /** Refuses all requests with this response. */
  StandIn refusing(int status, String json) {
    refusal = exchange -> send(exchange, status, json);
    return this;
  }

  /** The same document with {@link #CONTROLS} behind each text, and with a field of such a name in each object. */
  static JsonNode hostile(JsonNode plain) {
    if (plain.isString()) {
      return StringNode.valueOf(plain.asString() + CONTROLS);
    }
    if (plain.isArray()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      plain.values().forEach(each -> array.add(hostile(each)));
      return array;
    }
    if (plain.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      plain.properties().forEach(each -> object.set(each.getKey(), hostile(each.getValue())));
      return object.put("name" + CONTROLS, "value" + CONTROLS);
    }
    return plain;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getRawPath();
    asked.add(new Asked(
        exchange.getRequestMethod(),
        exchange.getRequestURI().toString(),
        Map.copyOf(exchange.getRequestHeaders()),
        body));
    String route = exchange.getRequestMethod() + " "
        + (path.startsWith(NAMESPACE) ? path.substring(NAMESPACE.length()) : path);
    @Nullable Reply refused = refusal;
    @Nullable Reply reply = refused == null ? replies.get(route) : refused;
    JsonNode answer = ANSWERS.path(route);
    if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      send(
          exchange,
          401,
          problem("unauthenticated", "The token is not known here, or is not good any more."));
    } else if (reply != null) {
      reply.to(exchange);
    } else if (answer.isMissingNode()) {
      send(exchange, 404, problem("notFound", "There is nothing at " + route + "."));
    } else {
      JsonNode said = answer.path("body");
      send(exchange, answer.path("status").asInt(), (hostile ? hostile(said) : said).toString());
    }
    exchange.close();
  }

  static String problem(String code, String message) {
    return "{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}";
  }

  static void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 || status == 204 ? -1 : bytes.length);
    if (bytes.length > 0 && status != 204) {
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Sends events, then closes the connection. */
  static Reply events(String... events) {
    return exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      for (String event : events) {
        exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    };
  }

  static String event(String id, String type, String data) {
    return "id: " + id + "\nevent: " + type + "\ndata: " + data + "\n\n";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
