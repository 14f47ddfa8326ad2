package io.belfry.server.access;

import static io.belfry.server.access.Audit.EVERYWHERE;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.access.RefusalAudit.Kind;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refused callers are recorded in the audit log and cannot flood it. */
class RefusalAuditTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final List<Runnable> later = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private TestRecordTable table;
  private RefusalAudit refusals;

  @BeforeEach
  void open(@TempDir Path own) throws Exception {
    table = new TestRecordTable(own, time, store -> store);
    refusals = new RefusalAudit(table.audit, time, (delay, step) -> {
      delays.add(delay);
      later.add(step);
    });
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void refuse(Kind kind, String home, String namespace, String who) {
    time.advance(Duration.ofMillis(1));
    refusals.record(
        new RefusalAudit.Caller(kind, home, who),
        namespace,
        new Audit.Entry(time.wall(), who, "", "getJob", "job a", who, "n1", 401));
  }

  private void refuse(Kind kind, String namespace, String who) {
    refuse(kind, namespace, namespace, who);
  }

  private List<String> by(String namespace) {
    return table.written(namespace).stream().map(Audit.Entry::who).toList();
  }

  private int entries(List<String> namespaces) {
    return namespaces.stream().mapToInt(each -> table.written(each).size()).sum();
  }

  private void refuse(int times, String who) {
    for (int i = 0; i < times; i++) {
      refuse(Kind.STRANGER, "default", who);
    }
  }

  @Test
  void the_first_of_a_caller_are_written_one_by_one_and_the_others_as_a_number() {
    refuse(1000, "10.0.0.1");
    assertThat(table.written("default")).hasSize(RefusalAudit.OF_ONE_MAX);
    assertThat(later).as("one look when the span ends").hasSize(1);
    time.advance(delays.getFirst());
    later.getFirst().run();
    List<Audit.Entry> all = table.written("default");
    assertThat(all).hasSize(RefusalAudit.OF_ONE_MAX + 1);
    Audit.Entry sum = all.getFirst();
    assertThat(sum.action()).isEqualTo(RefusalAudit.ACTION);
    assertThat(sum.from()).isEqualTo("10.0.0.1");
    assertThat(sum.outcome()).isEqualTo(401);
    assertThat(sum.target()).startsWith("990 more since 2027-01-01T00:00:00.001Z");
  }

  @Test
  void a_caller_has_its_places_again_in_the_next_span() {
    refuse(12, "10.0.0.1");
    time.advance(RefusalAudit.SPAN);
    refuse(1, "10.0.0.1");
    List<Audit.Entry> all = table.written("default");
    assertThat(all).hasSize(RefusalAudit.OF_ONE_MAX + 2);
    assertThat(all.get(0).action()).isEqualTo("getJob");
    assertThat(all.get(1).target()).startsWith("2 more since");
    later.getFirst().run();
    assertThat(table.written("default")).as("nothing is left to tell").hasSameSizeAs(all);
  }

  @Test
  void many_addresses_together_have_a_bounded_number_of_entries() {
    for (int i = 0; i < 1000; i++) {
      refuse(Kind.STRANGER, "default", "10.0.1." + i);
    }
    assertThat(table.written("default")).hasSize(RefusalAudit.OF_NAMESPACE_MAX);
    assertThat(later).hasSize(1);
    refusals.stop();
    assertThat(table.written(EVERYWHERE))
        .as("the number stays where they asked")
        .isEmpty();
    assertThat(table.written("default")).hasSize(RefusalAudit.OF_NAMESPACE_MAX + 1);
    assertThat(table.written("default").getFirst()).satisfies(sum -> {
      assertThat(sum.target())
          .startsWith("950 more since")
          .contains(" 10.0.1.50, 10.0.1.51, ")
          .endsWith(" and others");
      assertThat(sum.target().length()).isLessThan(Audit.TARGET_CHARS_MAX);
      assertThat(sum.from()).isEqualTo("several addresses");
    });
  }

  @Test
  void one_token_that_tries_every_namespace_does_not_hide_what_others_try_in_theirs() {
    for (int i = 0; i < 200; i++) {
      refuse(Kind.KNOWN, "noisy", "n" + i % 20, "loud");
    }
    assertThat(entries(namespaces(20))).isEqualTo(RefusalAudit.OF_ONE_MAX);
    refuse(Kind.KNOWN, "n3", "thief");
    refuse(Kind.KNOWN, "quiet", "thief-2");
    assertThat(by("n3").getFirst()).isEqualTo("thief");
    assertThat(by("quiet")).containsExactly("thief-2");
    refusals.stop();
    assertThat(table.written("n17").getFirst().target())
        .startsWith("10 more since")
        .endsWith(" loud");
    assertThat(table.written(EVERYWHERE)).isEmpty();
  }

  @Test
  void all_tokens_of_one_namespace_do_not_hide_what_others_try() {
    for (int i = 0; i < 1000; i++) {
      refuse(Kind.KNOWN, "noisy", "victim", "loud-" + i);
    }
    refuse(Kind.KNOWN, "victim", "thief");
    assertThat(by("victim")).hasSize(RefusalAudit.OF_NAMESPACE_MAX + 1).startsWith("thief");
    for (int i = 0; i < 100; i++) {
      refuse(Kind.KNOWN, "victim", "own-" + i);
    }
    refusals.stop();
    assertThat(table.written("victim").stream()
            .filter(entry -> entry.action().equals(RefusalAudit.ACTION))
            .map(Audit.Entry::target))
        .as("tokens of other namespaces apart from its own")
        .anyMatch(target -> target.contains("loud-50") && !target.contains("own-"))
        .anyMatch(target -> target.contains("own-60") && !target.contains("loud-"));
  }

  @Test
  void strangers_at_one_namespace_do_not_hide_those_at_another() {
    for (int i = 0; i < 1000; i++) {
      refuse(Kind.STRANGER, "n" + i % 10, "10.0.1." + i);
    }
    refuse(Kind.STRANGER, "quiet", "10.0.2.1");
    assertThat(by("quiet")).containsExactly("10.0.2.1");
  }

  private static List<String> namespaces(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }

  @Test
  void many_namespaces_together_have_a_bounded_number_of_entries() {
    for (int i = 0; i < 40 * 100; i++) {
      refuse(Kind.KNOWN, "n" + i % 40, "token-" + i);
    }
    assertThat(entries(namespaces(40)))
        .isLessThanOrEqualTo(RefusalAudit.ALL_MAX + 40 * RefusalAudit.SHARE)
        .isGreaterThanOrEqualTo(RefusalAudit.ALL_MAX);
    refuse(Kind.KNOWN, "quiet", "thief");
    assertThat(by("quiet")).containsExactly("thief");
  }

  @Test
  void strangers_do_not_hide_what_those_with_a_token_try() {
    for (int i = 0; i < 1000; i++) {
      refuse(Kind.STRANGER, "default", "10.0.1." + i);
    }
    refuse(Kind.KNOWN, "default", "token-7");
    assertThat(table.written("default").getFirst().from()).isEqualTo("token-7");
  }

  @Test
  void nothing_is_told_where_nothing_was_only_counted() {
    refuse(3, "10.0.0.1");
    refusals.stop();
    assertThat(later).isEmpty();
    assertThat(table.written("default")).hasSize(3);
    assertThat(table.written(EVERYWHERE)).isEmpty();
  }
}
