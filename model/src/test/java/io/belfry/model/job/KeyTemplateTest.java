package io.belfry.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.model.InvalidException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTemplateTest {
  private static final Map<String, String> PAYLOAD = Map.of("customer.id", "17", "text", "${job}");

  private static final KeyTemplate.Values VALUES = new KeyTemplate.Values() {
    @Override
    public String job() {
      return "nightly";
    }

    @Override
    public String queue() {
      return "slow";
    }

    @Override
    public Optional<String> metadata(String name) {
      return name.equals("team") ? Optional.of("billing") : Optional.empty();
    }

    @Override
    public Optional<String> payload(List<String> path) {
      return Optional.ofNullable(PAYLOAD.get(String.join(".", path)));
    }
  };

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain|plain",
        "${payload.customer.id}|17",
        "c-${payload.customer.id}/${queue}|c-17/slow",
        "${job}:${metadata.team}|nightly:billing",
        "a${payload.missing}b${metadata.none}|ab",
        "$${job}|${job}",
        "${payload.text}|${job}",
        "costs 5$|costs 5$"
      })
  void holes_are_filled_in(String template, String key) {
    assertThat(KeyTemplate.parse(template).fill(VALUES)).isEqualTo(key);
  }

  @Test
  void a_key_that_would_be_too_long_ends_in_a_hash_of_the_whole() {
    var template = KeyTemplate.parse("${queue}".repeat(30) + "0123456789");
    KeyTemplate.Values wordy = new KeyTemplate.Values() {
      @Override
      public String job() {
        return "j";
      }

      @Override
      public String queue() {
        return "a-rather-long-queue";
      }

      @Override
      public Optional<String> metadata(String name) {
        return Optional.empty();
      }

      @Override
      public Optional<String> payload(List<String> path) {
        return Optional.empty();
      }
    };
    assertThat(template.fill(wordy))
        .hasSize(KeyTemplate.KEY_CHARS_MAX)
        .isEqualTo(template.fill(wordy))
        .containsPattern("#[0-9a-f]{16}$");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ab${payload.x|character 3",
        "${customer}|character 3",
        "${payload}|character 11",
        "${payload.a..b}|character 13",
        "x${metadata}|character 12"
      })
  void a_bad_one_is_refused_with_the_place(String template, String place) {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> KeyTemplate.parse(template))
        .withMessageContaining(place)
        .withMessageContaining("limit.key");
  }

  @Test
  void a_job_with_a_bad_one_cannot_be_made() {
    var builder = Job.named("j").local("h").limit(Limit.concurrency(1).by("${nope}"));
    assertThatExceptionOfType(InvalidException.class).isThrownBy(builder::build);
  }
}
