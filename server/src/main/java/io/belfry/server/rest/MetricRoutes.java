package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.server.connection.Exchange;
import io.belfry.server.metrics.MetricsExporter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
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
    return List.of(Route.get("metrics", "/metrics", VIEWER, this::write).costs(Cost.FREE));
  }

  private Answer write(Call call) throws IOException {
    call.holding().beginScrape();
    // Nothing of it is held while the client reads slowly, but the text.
    var text = new ByteArrayOutputStream();
    figures.write(text, name -> spot.maySee(call, name));
    call.context()
        .status(200)
        .contentType(MetricsExporter.CONTENT_TYPE)
        .result(new ByteArrayInputStream(text.toByteArray()));
    Exchange.of(call.context()::attribute).ifPresent(Exchange::answers);
    return Answer.done();
  }
}
