package io.belfry.client;

import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Inspects and controls the cluster: status, pause, load balancing, events. Threading: safe. */
public final class Cluster {
  private final Transport transport;
  private final String namespace;
  private final String root;

  Cluster(Transport transport, String namespace) {
    this.transport = transport;
    this.namespace = namespace;
    this.root = namespace + "/cluster";
  }

  /** The leader, the nodes and the storage engine. */
  public JsonNode status() {
    return transport.send(Call.get(root)).json();
  }

  /** Pauses the namespace: no job fires and no task starts until {@link #resume}. */
  public void pause(String reason) {
    transport.send(
        Call.post(root + "/pause").body(Json.object().put("reason", reason)).idempotent(true));
  }

  public void resume() {
    transport.send(Call.post(root + "/resume").idempotent(true));
  }

  /** The load-balancing strategy of the namespace, and the available strategies. */
  public JsonNode strategy() {
    return transport.send(Call.get(root + "/strategy")).json();
  }

  public JsonNode strategy(String name) {
    return transport
        .send(Call.put(root + "/strategy", Json.object().put("strategy", name)))
        .json();
  }

  /** Resets the statistics of the load balancer; the strategy stays. */
  public void resetStrategy() {
    transport.send(Call.post(root + "/strategy/reset").idempotent(true));
  }

  /**
   * A live stream of events without end. An event {@code reset} means that events were missed.
   *
   * @param types only events of these types, separated by commas
   * @param job only events of this job
   * @param after id of the event to resume after
   * @param broken called when the connection was lost, before the stream reconnects
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
