package io.belfry.client;

import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Who decides, and what happens. Threading: safe. */
public final class Cluster {
  private final Transport transport;
  private final String namespace;
  private final String root;

  Cluster(Transport transport, String namespace) {
    this.transport = transport;
    this.namespace = namespace;
    this.root = namespace + "/cluster";
  }

  /** Who leads, since when, which nodes there are, and how the engine is. */
  public JsonNode status() {
    return transport.send(Call.get(root)).json();
  }

  /** Nothing fires and nothing is begun in the namespace until it is resumed. */
  public void pause(String reason) {
    transport.send(
        Call.post(root + "/pause").body(Json.object().put("reason", reason)).idempotent(true));
  }

  public void resume() {
    transport.send(Call.post(root + "/resume").idempotent(true));
  }

  /** How workers are chosen, and how they could be. */
  public JsonNode strategy() {
    return transport.send(Call.get(root + "/strategy")).json();
  }

  public JsonNode strategy(String name) {
    return transport
        .send(Call.put(root + "/strategy", Json.object().put("strategy", name)))
        .json();
  }

  /** Clears what the balancer has counted and learned; the choice stays. */
  public void resetStrategy() {
    transport.send(Call.post(root + "/strategy/reset").idempotent(true));
  }

  /**
   * What happens, as it happens, without end. An event {@code reset} says that some were missed.
   *
   * @param types only these, with commas between them
   * @param job only of this job
   * @param after id of the event to go on behind
   * @param broken is told when the connection broke, before it is made anew
   */
  public EventStream events(
      Optional<String> types,
      Optional<String> job,
      Optional<String> after,
      Consumer<BelfryException> broken) {
    Call call = Call.get(namespace + "/events").with("type", types).with("job", job);
    return new EventStream(transport, call, after, Optional.empty(), broken);
  }
}
