package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANONYMOUS;

import io.belfry.model.time.Time;
import java.util.List;
import java.util.function.Supplier;

/** How the server is. Threading: safe. */
final class HealthRoutes {
  private final Readiness readiness;
  private final String version;
  private final Supplier<byte[]> openapi;

  HealthRoutes(Spot spot, Time time, String version, Supplier<byte[]> openapi) {
    this.readiness = new Readiness(spot.namespaces()::all, time);
    this.version = version;
    this.openapi = openapi;
  }

  List<Route> all() {
    return List.of(
        Route.get(
            "health",
            "/healthz",
            ANONYMOUS,
            call -> Answer.ok(Spot.node().put("status", "ok").put("version", version))),
        Route.get("ready", "/readyz", ANONYMOUS, call -> readiness.answer()),
        Route.get("openapi", "/openapi.json", ANONYMOUS, this::openapi));
  }

  private Answer openapi(Call call) {
    call.context().contentType("application/json; charset=utf-8").result(openapi.get());
    return Answer.done();
  }
}
