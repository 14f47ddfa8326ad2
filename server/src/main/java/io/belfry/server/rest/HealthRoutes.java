package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANONYMOUS;

import io.belfry.model.time.Time;
import io.belfry.server.node.Namespaces;
import io.belfry.store.EngineHealth;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** How the server is. Threading: safe. */
final class HealthRoutes {
  private final Namespaces namespaces;
  private final Readiness readiness;
  private final String version;
  private final Supplier<byte[]> openapi;

  HealthRoutes(
      Spot spot,
      Supplier<EngineHealth.View> system,
      Time time,
      String version,
      Supplier<byte[]> openapi) {
    this.namespaces = spot.namespaces();
    this.readiness = new Readiness(spot.namespaces()::all, system, time);
    this.version = version;
    this.openapi = openapi;
  }

  List<Route> all() {
    return List.of(
        Route.get("health", "/healthz", ANONYMOUS, call -> health()).costs(Cost.FREE),
        Route.get("ready", "/readyz", ANONYMOUS, call -> readiness.answer()).costs(Cost.FREE),
        Route.get("openapi", "/openapi.json", ANONYMOUS, this::openapi));
  }

  /** Anybody may ask: it names what failed by its kind only, and the log says the rest. */
  private Answer health() {
    Optional<Throwable> failure = namespaces.failure();
    ObjectNode answer =
        Spot.node().put("status", failure.isEmpty() ? "ok" : "failed").put("version", version);
    failure.ifPresent(why -> answer.put(
        "reason",
        "A part of this node fails again and again (" + why.getClass().getSimpleName()
            + "). Its log says why. Restart it; other nodes go on."));
    return new Answer(failure.isEmpty() ? 200 : 503, answer);
  }

  private Answer openapi(Call call) {
    call.context().contentType("application/json; charset=utf-8").result(openapi.get());
    return Answer.done();
  }
}
