package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers of a deleted namespace have no access to a later one with the same name, not even through a node that does not know of the deletion. */
@Timeout(60)
class SuccessorTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int READERS = 6;
  private static final int INCARNATIONS = 300;

  @TempDir
  Path own;

  private static Tokens.Made admin(TestRecordTable table, Optional<String> namespace) {
    return table.tokens.create("admin", Role.ADMIN, namespace, Optional.empty(), "me");
  }

  @Test
  void its_admin_makes_no_token_in_the_next_one_on_a_node_that_has_not_heard_of_it()
      throws Exception {
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var deaf = here.another(Time.system(), store -> store)) {
      NamespaceRecord first = here.namespaces.create("a", "").orElseThrow();
      Tokens.Made old = admin(here, Optional.of("a"));
      await().atMost(LIMIT).until(() -> deaf.tokens.isValid(old.record().id()));
      deaf.tokens.stop();
      deaf.namespaces.stop();
      here.delete("a");
      assertThat(here.namespaces.create("a", "")).isPresent();
      Principal maker = deaf.tokens.verify(old.token()).orElseThrow();
      assertThat(
              deaf.tokens.create("late", Role.ADMIN, Optional.of(first), Optional.empty(), maker))
          .isEmpty();
      assertThat(here.tokens.list()).noneMatch(record -> record.name().equals("late"));
    }
  }

  @Test
  void whoever_deletes_it_does_not_delete_the_next_one_on_a_node_that_has_not_heard_of_it()
      throws Exception {
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var deaf = here.another(Time.system(), store -> store)) {
      NamespaceRecord first = here.namespaces.create("a", "").orElseThrow();
      await().atMost(LIMIT).until(() -> deaf.namespaces.isCurrent(first.scope()));
      deaf.namespaces.stop();
      assertThat(here.namespaces.delete(first)).isTrue();
      NamespaceRecord second = here.namespaces.create("a", "").orElseThrow();
      assertThat(deaf.namespaces.delete(deaf.namespaces.current("a").orElseThrow()))
          .isFalse();
      assertThat(here.namespaces.find("a")).contains(second);
      assertThat(here.namespaces.delete(first)).as("also where it is known").isFalse();
      assertThat(here.namespaces.delete(second)).isTrue();
    }
  }

  private static NamespaceRecord incarnation(int number) {
    return new NamespaceRecord(
        "a", "", Instant.EPOCH, Optional.of("%016x".formatted(number)), Optional.empty());
  }

  @Test
  void a_record_that_is_looked_up_by_its_id_while_it_is_replaced_is_never_the_one_that_came_after()
      throws Exception {
    var thrown = new AtomicReference<Throwable>();
    var wrong = new ConcurrentLinkedQueue<String>();
    try (var table = new TestRecordTable(own, Time.system(), store -> store);
        var loop = new ThreadLoop("test", Time.system(), new SplittableRandom(1), thrown::set);
        var readers = Executors.newFixedThreadPool(READERS)) {
      var records = new FollowedRecords<NamespaceRecord>(
          table.table,
          loop,
          Spaces.NAMESPACES,
          NamespaceRecord.class,
          NamespaceRecord::scope,
          () -> {});
      var last = incarnation(INCARNATIONS - 1).scope();
      records.loaded().get(20, TimeUnit.SECONDS);
      for (int i = 0; i < READERS; i++) {
        readers.execute(() -> {
          while (records.findById(last).isEmpty()) {
            records.current().stream()
                .map(NamespaceRecord::scope)
                .forEach(scope -> records
                    .findById(scope)
                    .filter(found -> !found.scope().equals(scope))
                    .ifPresent(found -> wrong.add(scope + " gave " + found.scope())));
          }
        });
      }
      for (int i = 0; i < INCARNATIONS; i++) {
        assertThat(table.table.commit(
                Commit.when().put(NamespaceRegistry.key("a"), RecordTable.bytes(incarnation(i)))))
            .isTrue();
      }
      readers.shutdown();
      assertThat(readers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
      records.stop();
    }
    assertThat(wrong).isEmpty();
    assertThat(thrown).hasValue(null);
  }
}
