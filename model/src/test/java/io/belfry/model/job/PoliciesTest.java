package io.belfry.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {

  @Nested
  class A_rate {
    @ParameterizedTest
    @CsvSource({
      "100/min, 100/min",
      "5/s, 5/s",
      "5 / second, 5/s",
      "7/m, 7/min",
      "1/hour, 1/h",
      "9/d, 9/d"
    })
    void is_read_and_written(String text, String canonical) {
      assertThat(Rate.parse(text)).hasToString(canonical).isEqualTo(Rate.parse(canonical));
    }

    @Test
    void knows_its_unit() {
      assertThat(Rate.parse("100/min").per().length()).isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "100", "/min", "-1/s", "1.5/s", "1/week", "99999999/s"})
    void is_refused_in_any_other_form(String text) {
      assertThatThrownBy(() -> Rate.parse(text))
          .hasMessageStartingWith("limit.rate must be a whole number, a slash")
          .hasMessageEndingWith("but was \"" + text + "\". Write it like 100/min.");
    }

    @Test
    void of_nothing_is_refused() {
      assertThatThrownBy(() -> Rate.parse("0/s"))
          .hasMessageContaining("disable the job instead, but was 0");
    }
  }

  @Nested
  class A_limit {
    @Test
    void may_count_by_key() {
      Limit limit = Limit.rate(Rate.parse("3/s")).by("${payload.customer}");
      assertThat(limit.key()).contains("${payload.customer}");
    }

    @Test
    void needs_something_to_count() {
      assertThatThrownBy(() -> Limit.NONE.by("k"))
          .hasMessageStartingWith("limit.key must be used with limit.concurrency or limit.rate");
      assertThatThrownBy(() -> Limit.concurrency(0))
          .hasMessageStartingWith("limit.concurrency must lie between 1");
    }
  }

  @Nested
  class Shard_counts {
    @Test
    void are_a_number_or_the_workers() {
      assertThat(Shards.parse("4")).isEqualTo(new Shards.Fixed(4)).hasToString("4");
      assertThat(Shards.parse("workers")).isEqualTo(new Shards.PerWorker()).hasToString("workers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "many", "1.5"})
    void are_nothing_else(String text) {
      assertThatThrownBy(() -> Shards.parse(text))
          .hasMessageStartingWith("shards must be a whole number or the word");
    }

    @Test
    void are_bounded() {
      assertThatThrownBy(() -> Shards.parse("0"))
          .hasMessageStartingWith("shards must lie between 1 and 10000");
    }
  }

  @Nested
  class A_notice {
    @Test
    void needs_an_occasion_and_an_address() {
      var ops = Notifications.Target.parse("webhook:ops");
      assertThatThrownBy(() -> new Notifications(Set.of(), List.of(ops)))
          .hasMessageStartingWith("notify.on must be given");
      assertThatThrownBy(() -> new Notifications(Set.of(Notifications.Occasion.LATE), List.of()))
          .hasMessageStartingWith("notify.to must be given");
    }

    @Test
    void goes_to_a_known_channel() {
      assertThatThrownBy(() -> Notifications.Target.parse("ops"))
          .hasMessageStartingWith("notify.to must be a channel");
      assertThatThrownBy(() -> Notifications.Target.parse("pigeon:ops"))
          .hasMessageStartingWith("notify.to must be one of");
      assertThatThrownBy(() -> Notifications.Target.parse("mail:"))
          .hasMessageStartingWith("notify.to must not be empty");
    }

    @Test
    void goes_to_a_bounded_number_of_addresses() {
      var ops = Notifications.Target.parse("webhook:ops");
      assertThatThrownBy(() ->
              new Notifications(Set.of(Notifications.Occasion.LATE), Collections.nCopies(21, ops)))
          .hasMessageStartingWith("notify.to must lie between 0 and 20");
    }
  }

  @Test
  void expectations_are_real_times() {
    assertThatThrownBy(
            () -> new Expect(Optional.empty(), Optional.of(Duration.ZERO), Optional.empty()))
        .hasMessageStartingWith("expect.maxLateness must lie between");
    assertThatThrownBy(
            () -> new Expect(Optional.empty(), Optional.empty(), Optional.of(Duration.ofDays(31))))
        .hasMessageStartingWith("expect.maxDuration must lie between");
  }
}
