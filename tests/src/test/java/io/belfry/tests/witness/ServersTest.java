package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short form with real servers: jobs and tasks over REST, handlers from a jar, and nobody doubled or lost. */
@Tag("alone")
class ServersTest {
  @Test
  void no_fire_and_no_submit_is_doubled_or_lost_when_their_redis_fails_over() {
    try (var trial = Trial.ofServers("redis", Shape.together(2), 7)) {
      Trial.Outcome outcome = trial.run(Plan.of(10, 120, List.of(Fault.F7), Duration.ofSeconds(2)));
      System.out.println("servers on redis: " + outcome.text());
      assertThat(outcome.verdict().clean()).as(outcome.text()).isTrue();
      assertThat(outcome.verdict().expected()).isGreaterThan(150);
      assertThat(outcome.verdict().ran()).isEqualTo(outcome.verdict().expected());
      assertThat(outcome.struck()).as(outcome.text()).containsKey(Fault.F7);
    }
  }

  @Test
  void overload_is_refused_with_a_word_when_to_come_again_and_what_was_taken_is_done() {
    Overload.Result result = Overload.run(1500);
    System.out.println("overload: " + result.text());
    assertThat(result.outcome().clean()).as(result.text()).isTrue();
    assertThat(result.outcome().refused()).isNotEmpty();
  }

  @Test
  void a_full_disk_refuses_submits_and_loses_nothing() {
    assumeTrue(FullDisk.isPossible(), "only who may mount a small file system can fill one");
    Drill.Outcome outcome = FullDisk.run(1);
    System.out.println("full disk: " + outcome.text());
    assertThat(outcome.clean()).as(outcome.text()).isTrue();
    assertThat(outcome.refused()).isNotEmpty();
  }
}
