package io.belfry.client;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How the server is, and what it can tell without a namespace. Threading: safe. */
public final class Server {
  private final Transport transport;

  Server(Transport transport) {
    this.transport = transport;
  }

  /** Whether the process lives, and its version. */
  public JsonNode health() {
    return transport.send(Call.get("/healthz").withoutToken()).json();
  }

  /** Whether it can do its work; otherwise an {@link ApiException} of status 503, at once. */
  public JsonNode ready() {
    return transport.send(Call.get("/readyz").withoutToken().idempotent(false)).json();
  }

  /** The document that describes the API. */
  public JsonNode openApi() {
    return transport.send(Call.get("/openapi.json").withoutToken()).json();
  }

  /** Figures in Prometheus' text format. */
  public String metrics() {
    return transport.send(Call.get("/metrics").header("Accept", "text/plain")).text();
  }

  /**
   * When a cron expression fires.
   *
   * @param zone default UTC
   * @param after default now
   * @param job whose id spreads {@code H}
   */
  public JsonNode previewCron(
      String expression,
      Optional<String> zone,
      Optional<Instant> after,
      int count,
      Optional<String> job) {
    Call call = Call.get(BelfryClient.API + "/cron/preview")
        .with("expression", expression)
        .with("zone", zone)
        .with("after", after)
        .with("count", count)
        .with("job", job);
    return transport.send(call).json();
  }
}
