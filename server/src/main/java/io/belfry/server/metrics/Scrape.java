package io.belfry.server.metrics;

import io.belfry.library.Distribution;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the metrics of one scrape by name. Threading: confined to the request. */
final class Scrape {
  private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
  private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
  private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

  /** Adds a counter. */
  void counter(String name, String help, Number value, String... labels) {
    counters
        .computeIfAbsent(name, key -> CounterSnapshot.builder().name(key).help(help))
        .dataPoint(CounterDataPointSnapshot.builder()
            .value(value.doubleValue())
            .labels(Labels.of(labels))
            .build());
  }

  /** Adds a gauge. */
  void gauge(String name, String help, Number value, String... labels) {
    gauges
        .computeIfAbsent(name, key -> GaugeSnapshot.builder().name(key).help(help))
        .dataPoint(GaugeDataPointSnapshot.builder()
            .value(value.doubleValue())
            .labels(Labels.of(labels))
            .build());
  }

  /** Adds a histogram. */
  void histogram(String name, String help, Distribution values, String... labels) {
    List<Double> bounds = new ArrayList<>(values.bounds());
    bounds.add(Double.POSITIVE_INFINITY);
    histograms
        .computeIfAbsent(name, key -> HistogramSnapshot.builder().name(key).help(help))
        .dataPoint(HistogramDataPointSnapshot.builder()
            .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, values.counts()))
            .sum(values.sum())
            .labels(Labels.of(labels))
            .build());
  }

  MetricSnapshots snapshots(MetricSnapshots more) {
    var all = new ArrayList<MetricSnapshot>();
    counters.values().forEach(builder -> all.add(builder.build()));
    gauges.values().forEach(builder -> all.add(builder.build()));
    histograms.values().forEach(builder -> all.add(builder.build()));
    more.forEach(all::add);
    return new MetricSnapshots(all);
  }
}
