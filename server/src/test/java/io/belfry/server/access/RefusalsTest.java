package io.belfry.server.access;

import static io.belfry.server.access.Audit.EVERYWHERE;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.access.Refusals.Kind;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is refused is written down, and cannot fill the log by it. */
class RefusalsTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final List<Runnable> later = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private OpenDesk desk;
  private Refusals refusals;

  @BeforeEach
  void open(@TempDir Path own) throws Exception {
    desk = new OpenDesk(own, time, store -> store);
    refusals = new Refusals(desk.audit, time, (delay, step) -> {
      delays.add(delay);
      later.add(step);
    });
  }

  @AfterEach
  void close() {
    desk.close();
  }

  private void refuse(Kind kind, String namespace, String who) {
    time.advance(Duration.ofMillis(1));
    refusals.note(
        kind,
        namespace,
        who,
        new Audit.Entry(time.wall(), "anonymous", "", "getJob", "job a", who, "n1", 401));
  }

  private void refuse(int times, String who) {
    for (int i = 0; i < times; i++) {
      refuse(Kind.STRANGER, "default", who);
    }
  }

  @Test
  void the_first_of_a_caller_are_written_one_by_one_and_the_others_as_a_number() {
    refuse(1000, "10.0.0.1");
    assertThat(desk.written("default")).hasSize(Refusals.OF_ONE_MAX);
    assertThat(later).as("one look when the span ends").hasSize(1);
    time.advance(delays.getFirst());
    later.getFirst().run();
    List<Audit.Entry> all = desk.written("default");
    assertThat(all).hasSize(Refusals.OF_ONE_MAX + 1);
    Audit.Entry sum = all.getFirst();
    assertThat(sum.action()).isEqualTo(Refusals.ACTION);
    assertThat(sum.from()).isEqualTo("10.0.0.1");
    assertThat(sum.outcome()).isEqualTo(401);
    assertThat(sum.target()).startsWith("990 more since 2027-01-01T00:00:00.001Z");
  }

  @Test
  void a_caller_has_its_places_again_in_the_next_span() {
    refuse(12, "10.0.0.1");
    time.advance(Refusals.SPAN);
    refuse(1, "10.0.0.1");
    List<Audit.Entry> all = desk.written("default");
    assertThat(all).hasSize(Refusals.OF_ONE_MAX + 2);
    assertThat(all.get(0).action()).isEqualTo("getJob");
    assertThat(all.get(1).target()).startsWith("2 more since");
    later.getFirst().run();
    assertThat(desk.written("default")).as("nothing is left to tell").hasSameSizeAs(all);
  }

  @Test
  void many_addresses_together_have_a_bounded_number_of_entries() {
    for (int i = 0; i < 1000; i++) {
      refuse(Kind.STRANGER, "default", "10.0.1." + i);
    }
    assertThat(desk.written("default")).hasSize(Refusals.ALL_MAX);
    assertThat(later).hasSize(1);
    refusals.stop();
    assertThat(desk.written(EVERYWHERE)).singleElement().satisfies(sum -> {
      assertThat(sum.target()).startsWith("950 more since");
      assertThat(sum.from()).isEqualTo("several addresses");
    });
  }

  @Test
  void strangers_do_not_hide_what_those_with_a_token_try() {
    for (int i = 0; i < 1000; i++) {
      refuse(Kind.STRANGER, "default", "10.0.1." + i);
    }
    refuse(Kind.KNOWN, "default", "token-7");
    assertThat(desk.written("default").getFirst().from()).isEqualTo("token-7");
  }

  @Test
  void nothing_is_told_where_nothing_was_only_counted() {
    refuse(3, "10.0.0.1");
    refusals.stop();
    assertThat(later).isEmpty();
    assertThat(desk.written("default")).hasSize(3);
    assertThat(desk.written(EVERYWHERE)).isEmpty();
  }
}
