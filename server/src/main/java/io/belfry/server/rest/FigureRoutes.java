package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.history.Bucket;
import io.belfry.core.record.Histogram;
import io.belfry.core.record.Rollup;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.job.JobId;
import io.belfry.model.task.StateName;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What became of tasks over time. Threading: stateless. */
final class FigureRoutes {
  private static final Duration USUAL = Duration.ofDays(1);

  private final Spot spot;
  private final Time time;

  FigureRoutes(Spot spot, Time time) {
    this.spot = spot;
    this.time = time;
  }

  List<Route> all() {
    return List.of(Route.get("stats", Spot.NS + "/stats", VIEWER, this::stats).costs(Cost.LIST));
  }

  private Answer stats(Call call) {
    call.knows("job", "since", "until", "by");
    Instant until = call.instant("until").orElseGet(time::wall);
    Instant since = call.instant("since").orElse(until.minus(USUAL));
    Check.that(
        since.isBefore(until),
        "since",
        since,
        "must lie before until, because a stretch of time has a length",
        "Swap the two.");
    Bucket by =
        call.query("by").map(text -> WireName.parse(Bucket.class, "by", text)).orElse(Bucket.HOUR);
    var slices = spot.of(call).stats(call.query("job").map(JobId::new), since, until, by);
    ObjectNode answer = Spot.node().put("since", since.toString()).put("until", until.toString());
    Rollup total = new Rollup();
    slices.forEach(slice -> total.add(slice.figures()));
    answer.set("total", figures(total));
    ArrayNode buckets = answer.putArray("buckets");
    slices.forEach(slice -> buckets
        .addObject()
        .put("at", slice.start().toString())
        .set("figures", figures(slice.figures())));
    return Answer.ok(answer);
  }

  private static ObjectNode figures(Rollup rollup) {
    ObjectNode node = Spot.node();
    for (StateName end : Rollup.ENDS) {
      node.put(WireName.of(end), rollup.count(end));
    }
    node.put("retries", rollup.retries());
    node.set("runTime", times(rollup.runTime()));
    node.set("lateness", times(rollup.lateness()));
    return node;
  }

  private static ObjectNode times(Histogram histogram) {
    ObjectNode node = Spot.node().put("count", histogram.count());
    percentile(node, "p50Ms", histogram.quantile(0.5));
    percentile(node, "p95Ms", histogram.quantile(0.95));
    percentile(node, "p99Ms", histogram.quantile(0.99));
    return node;
  }

  private static void percentile(ObjectNode node, String name, Optional<Duration> value) {
    value.ifPresent(duration -> node.put(name, duration.toNanos() / 1e6));
  }
}
