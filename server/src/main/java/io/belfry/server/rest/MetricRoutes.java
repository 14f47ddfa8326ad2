package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.server.metrics.MetricsExporter;
import java.io.IOException;
import java.util.List;

/** Metrics over HTTP. Threading: stateless. */
final class MetricRoutes {
  private final Spot spot;
  private final MetricsExporter figures;

  MetricRoutes(Spot spot, MetricsExporter figures) {
    this.spot = spot;
    this.figures = figures;
  }

  List<Route> all() {
    return List.of(Route.get("metrics", "/metrics", VIEWER, this::write));
  }

  private Answer write(Call call) throws IOException {
    call.context().status(200).contentType(MetricsExporter.CONTENT_TYPE);
    figures.write(call.context().res().getOutputStream(), name -> spot.maySee(call, name));
    return Answer.done();
  }
}
