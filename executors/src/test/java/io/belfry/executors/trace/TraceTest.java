package io.belfry.executors.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.model.job.ExecutorSpec;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
  private static final TestAttempt ATTEMPT = TestAttempt.of(ExecutorSpec.local("any"));

  @Test
  void is_the_same_for_a_task_on_every_worker() {
    String parent = Trace.parent("eu", ATTEMPT);
    assertThat(parent)
        .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01")
        .isEqualTo(Trace.parent("eu", ATTEMPT));
    assertThat(Trace.parent("us", ATTEMPT).substring(3, 35)).isNotEqualTo(parent.substring(3, 35));
  }

  @Test
  void has_a_span_for_each_attempt() {
    String trace = Trace.parent("eu", ATTEMPT).substring(0, 35);
    Set<String> spans = new TreeSet<>();
    for (long token = 0; token < 10_000; token++) {
      String parent = Trace.parent("eu", ATTEMPT.token(token));
      assertThat(parent).startsWith(trace);
      spans.add(parent.substring(36, 52));
    }
    assertThat(spans).hasSize(10_000).doesNotContain("0000000000000000");
  }

  @Test
  void continues_the_trace_of_the_metadata_with_a_span_of_its_own() {
    String given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    String parent = Trace.parent("eu", ATTEMPT.metadata(Map.of("traceparent", given)));
    assertThat(parent).startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-").endsWith("-00");
    assertThat(parent).isNotEqualTo(given);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "junk\r\nX: y"
      })
  void ignores_what_is_no_trace(String given) {
    assertThat(Trace.parent("eu", ATTEMPT.metadata(Map.of("traceparent", given))))
        .isEqualTo(Trace.parent("eu", ATTEMPT));
  }
}
