package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log lists entries in the order in which they were written, and deletes expired ones of each namespace. */
class AuditTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private TestRecordTable table;

  @BeforeEach
  void open(@TempDir Path own) throws Exception {
    table = new TestRecordTable(own, time, store -> store);
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void write(String namespace, String target) {
    table.audit.write(
        namespace,
        new Audit.Entry(time.wall(), "ci (1)", "admin", "putJob", target, "10.0.0.1", "n1", 200));
  }

  @Test
  void entries_of_one_millisecond_are_listed_newest_first() {
    IntStream.range(0, 50).forEach(i -> write("default", "j" + i));
    assertThat(table.written("default"))
        .extracting(Audit.Entry::target)
        .containsExactlyElementsOf(
            IntStream.range(0, 50).mapToObj(i -> "j" + (49 - i)).toList());
  }

  @Test
  void old_entries_are_swept_although_many_of_a_later_namespace_of_that_name_come_first() {
    // Keys of a later namespace begin with the name, too. This incarnation sorts before the old
    // entry.
    String later = "billing/%016x".formatted(Long.MAX_VALUE - time.wall().toEpochMilli() - 1);
    write("billing", "old");
    IntStream.range(0, 250).forEach(i -> write(later, "j" + i));
    time.advance(Audit.KEPT.plus(Duration.ofDays(1)));
    table.audit.sweep("billing");
    assertThat(table.written("billing")).extracting(Audit.Entry::target).doesNotContain("old");
    assertThat(table.written(later)).hasSize(250);
  }
}
