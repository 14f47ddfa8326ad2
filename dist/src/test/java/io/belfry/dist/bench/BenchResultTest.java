package io.belfry.dist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BenchResultTest {
  private static final long MILLI = 1_000_000;

  @Test
  void percentiles_are_measured_values() {
    BenchResult result = BenchResult.of(
        500, 2, 100, LongStream.rangeClosed(1, 100).map(i -> (101 - i) * MILLI).toArray());
    assertThat(result.perSecond()).isEqualTo(250);
    assertThat(result.millis(0.5)).isEqualTo(50);
    assertThat(result.millis(0.99)).isEqualTo(99);
    assertThat(result.millis(1)).isEqualTo(100);
  }

  @Test
  void the_chart_counts_every_start_once_and_has_no_gap() {
    BenchResult result = BenchResult.of(
        1, 1, 1, new long[] {MILLI / 2, MILLI / 2, 3 * MILLI, 30 * MILLI, 5000 * MILLI});
    assertThat(Chart.lines(result.bars(), false))
        .containsExactly(
            "   < 1 ms        2 " + "#".repeat(40),
            "   < 2 ms        0",
            "   < 5 ms        1 " + "#".repeat(20),
            "  < 10 ms        0",
            "  < 20 ms        0",
            "  < 50 ms        1 " + "#".repeat(20),
            " < 100 ms        0",
            " < 200 ms        0",
            " < 500 ms        0",
            "< 1000 ms        0",
            "   longer        1 " + "#".repeat(20));
  }
}
