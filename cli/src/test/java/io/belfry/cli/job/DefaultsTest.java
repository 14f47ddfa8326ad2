package io.belfry.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.verb.Times;
import io.belfry.model.WireName;
import io.belfry.model.job.Job;
import io.belfry.model.job.Payload;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A dry run uses the defaults of the server. */
class DefaultsTest {
  private final Job job = Job.named("a").local("x", Payload.EMPTY).build();
  private final JsonNode filled =
      Defaults.fill(JsonMapper.shared().readTree("{\"id\":\"a\",\"retry\":{\"max\":7}}"));

  private static Duration duration(JsonNode node) {
    return Times.duration(node.asString()).orElseThrow();
  }

  @Test
  void the_defaults_are_the_models() {
    assertThat(filled.path("name").asString()).isEqualTo(job.name());
    assertThat(duration(filled.path("timeout"))).isEqualTo(job.work().timeout());
    assertThat(filled.path("overlap").asString()).isEqualTo(WireName.of(job.overlap()));
    assertThat(filled.path("priority").asString()).isEqualTo(WireName.of(job.priority()));
    assertThat(filled.path("queue").asString()).isEqualTo(job.work().queue());
    assertThat(duration(filled.path("retain").path("for"))).isEqualTo(job.retain());
    assertThat(filled.path("enabled").asBoolean()).isEqualTo(job.enabled());
    assertThat(filled.path("missed").path("policy").asString())
        .isEqualTo(WireName.of(job.missed().policy()));
    assertThat(duration(filled.path("missed").path("maxAge")))
        .isEqualTo(job.missed().maxAge());
    assertThat(filled.path("missed").path("maxCount").asInt())
        .isEqualTo(job.missed().maxCount());
  }

  @Test
  void a_part_that_is_given_keeps_the_rest_of_its_defaults() {
    JsonNode retry = filled.path("retry");
    assertThat(retry.path("max").asInt()).isEqualTo(7);
    assertThat(duration(retry.path("delay"))).isEqualTo(job.work().retry().delay());
    assertThat(duration(retry.path("cap"))).isEqualTo(job.work().retry().cap());
    assertThat(retry.path("backoff").asDouble()).isEqualTo(job.work().retry().backoff());
    assertThat(retry.path("on").values().stream().map(JsonNode::asString))
        .containsExactlyInAnyOrderElementsOf(
            job.work().retry().on().stream().map(WireName::of).toList());
  }

  @Test
  void the_same_in_other_words_is_no_difference() {
    JsonNode one = JsonMapper.shared()
        .readTree("{\"timeout\":\"90s\",\"backoff\":2,\"on\":[\"a\",\"b\"],\"next\":\"x\"}");
    JsonNode two = JsonMapper.shared()
        .readTree("{\"timeout\":\"1m30s\",\"backoff\":2.0,\"on\":[\"b\",\"a\"]}");
    assertThat(Difference.between(one, two)).isEmpty();
  }
}
