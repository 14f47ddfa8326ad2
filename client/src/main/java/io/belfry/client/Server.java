package io.belfry.client;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Health, metrics and other calls that need no namespace. Threading: safe. */
public final class Server {
  private final Transport transport;

  Server(Transport transport) {
    this.transport = transport;
  }

  /** Liveness and version. */
  public JsonNode health() {
    return transport.send(Call.get("/healthz").withoutToken()).json();
  }

  /** Readiness. If not ready, throws an {@link ApiException} with status 503 without retries. */
  public JsonNode ready() {
    return transport.send(Call.get("/readyz").withoutToken().idempotent(false)).json();
  }

  /** The OpenAPI document. */
  public JsonNode openApi() {
    return transport.send(Call.get("/openapi.json").withoutToken()).json();
  }

  /** Metrics in the Prometheus text format. */
  public String metrics() {
    return transport.send(Call.get("/metrics").header("Accept", "text/plain")).text();
  }

  /**
   * The next fire times of a cron expression.
   *
   * @param zone default UTC
   * @param after default now
   * @param job id used to resolve {@code H} (hash) fields
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
