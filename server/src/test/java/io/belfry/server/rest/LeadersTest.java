package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.StoreException;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeadersTest {
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final List<CompletableFuture<Boolean>> questions = new ArrayList<>();

  @Test
  void the_late_answer_to_a_question_that_was_given_up_does_not_count() {
    var leaders = new Leaders(time, name -> {
      questions.add(new CompletableFuture<>());
      return questions.getLast();
    });
    leaders.refresh(Set.of("default"));
    time.advance(Duration.ofSeconds(3));
    leaders.refresh(Set.of("default"));
    assertThat(questions).hasSize(2);
    questions.get(1).complete(false);
    time.advance(Duration.ofSeconds(1));
    questions.get(0).complete(true);
    assertThat(leaders.of("default")).isNotEqualTo(Leaders.Seen.LED);
    time.advance(Duration.ofMillis(2500));
    assertThat(leaders.of("default"))
        .as("it does not make the newer answer younger either")
        .isEqualTo(Leaders.Seen.NOT_KNOWN);
  }

  @Test
  void a_namespace_that_refuses_the_question_does_not_keep_others_from_being_asked() {
    var leaders = new Leaders(time, name -> {
      if (name.equals("closing")) {
        throw new StoreException.Closed();
      }
      return CompletableFuture.completedStage(true);
    });
    leaders.refresh(Set.of("closing", "default"));
    assertThat(leaders.of("closing")).isEqualTo(Leaders.Seen.NOT_KNOWN);
    assertThat(leaders.of("default")).isEqualTo(Leaders.Seen.LED);
  }
}
