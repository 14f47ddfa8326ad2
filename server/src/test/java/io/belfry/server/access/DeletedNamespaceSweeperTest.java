package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.executors.secret.Destinations;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The leftovers of a deleted namespace are swept, with crashes at any point, and nothing else is. */
@Timeout(60)
class DeletedNamespaceSweeperTest {
  private static final Destinations SCRIPT = Destinations.parse("destinations", List.of("script"));
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  /** The process crashes after this number of commits. */
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

  @TempDir
  Path own;

  private Store crashing(Store store) {
    return new DelegatingStore(store) {
      @Override
      public CompletionStage<Outcome> commit(Commit commit) {
        return left.decrementAndGet() < 0
            ? CompletableFuture.failedStage(new StoreException.Unavailable("Crashed.", null))
            : super.commit(commit);
      }
    };
  }

  private SecretVault vault(TestRecordTable table) {
    return new SecretVault(table.table, SecretKeys.of(List.of(new byte[32])), time, RANDOM);
  }

  private DeletedNamespaceSweeper sweep(TestRecordTable table) {
    return new DeletedNamespaceSweeper(table.table, table.namespaces, table.audit, time);
  }

  private NamespaceRecord fill(TestRecordTable table, String name, int records) {
    NamespaceRecord namespace = table.namespaces.create(name, "").orElseThrow();
    for (int i = 0; i < records; i++) {
      var unused =
          table.tokens.create("t" + i, Role.VIEWER, Optional.of(name), Optional.empty(), "me");
      vault(table).put(namespace.scope(), "s" + i, "hidden", SCRIPT, "me");
    }
    return namespace;
  }

  @Test
  void all_of_it_and_nothing_else() throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      NamespaceRecord old = fill(table, "billing", 130);
      NamespaceRecord stays = fill(table, "stays", 3);
      assertThat(sweep(table).sweep()).isZero();
      table.delete("billing");
      NamespaceRecord again = fill(table, "billing", 2);
      assertThat(again.scope()).isNotEqualTo(old.scope());
      assertThat(again.storeName()).isNotEqualTo(old.storeName());
      assertThat(vault(table).of(again).find("s5")).isEmpty();
      assertThat(sweep(table).sweep()).isEqualTo(260);
      assertThat(vault(table).list(old.scope())).isEmpty();
      assertThat(vault(table).list(again.scope())).hasSize(2);
      assertThat(vault(table).list(stays.scope())).hasSize(3);
      assertThat(table.tokens.list(stays)).hasSize(3);
      assertThat(table.tokens.list(again)).hasSize(2);
    }
  }

  @Test
  void also_after_a_crash_in_the_middle_of_it() throws Exception {
    try (var table = new TestRecordTable(own, time, this::crashing)) {
      fill(table, "billing", 130);
      table.delete("billing");
      left.set(1);
      assertThatThrownBy(() -> sweep(table).sweep()).isInstanceOf(StoreException.class);
    }
    left.set(Integer.MAX_VALUE);
    try (var table = new TestRecordTable(own, time, store -> store)) {
      assertThat(sweep(table).sweep()).isEqualTo(160);
      assertThat(table.tokens.list()).noneMatch(token -> !table.tokens.isEnded(token));
    }
  }

  @Test
  void not_what_belongs_to_a_namespace_that_this_node_has_not_heard_of() throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store);
        var deaf = table.another(time, store -> store)) {
      deaf.namespaces.stop();
      NamespaceRecord fresh = fill(table, "new", 2);
      assertThat(sweep(deaf).sweep()).isZero();
      assertThat(table.tokens.list(fresh)).hasSize(2);
    }
  }

  @Test
  void the_records_of_the_end_are_forgotten_once_the_audit_log_is_old() throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      NamespaceRecord old = fill(table, "billing", 0);
      table.audit.write(
          old.scope(), new Audit.Entry(time.wall(), "me", "", "putJob", "", "x", "n1", 200));
      table.delete("billing");
      time.advance(Audit.KEPT.plusDays(2));
      var unused = sweep(table).sweep();
      assertThat(table.namespaces.ended()).isEmpty();
      assertThat(table.written(old.scope())).isEmpty();
      assertThat(fill(table, "billing", 0).storeName())
          .as("its data on the engine is not swept, and does not come back")
          .startsWith(NamespaceRegistry.STORES);
      time.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void records_of_versions_without_incarnations_stay_good_until_their_namespace_is_deleted()
      throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      String record =
          "{\"name\":\"old\",\"description\":\"\",\"created\":\"2026-01-01T00:00:00Z\"}";
      String token = table.tokens.random();
      String kept =
          "{\"id\":\"00000000000000aa\",\"name\":\"ci\",\"role\":\"ADMIN\",\"namespace\":\"old\","
              + "\"created\":\"2026-01-01T00:00:00Z\",\"expires\":null,\"by\":\"me\"}";
      table.table.commit(Commit.when()
          .put(
              NamespaceRegistry.key("old"),
              record.getBytes(java.nio.charset.StandardCharsets.UTF_8))
          .put(Tokens.key(token), kept.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      vault(table).put("old", "s", "hidden", SCRIPT, "me");
      org.awaitility.Awaitility.await().until(() -> table.tokens.verify(token).isPresent());
      assertThat(sweep(table).sweep()).isZero();
      NamespaceRecord old = table.namespaces.current("old").orElseThrow();
      assertThat(old.scope()).isEqualTo("old");
      assertThat(vault(table).of(old).find("s")).isPresent();
      table.delete("old");
      NamespaceRecord again = table.namespaces.create("old", "").orElseThrow();
      assertThat(table.tokens.verify(token)).isEmpty();
      assertThat(vault(table).of(again).find("s")).isEmpty();
      assertThat(sweep(table).sweep()).isEqualTo(2);
    }
  }

  @Test
  void not_the_audit_log_of_a_namespace_that_has_the_name_of_one_without_an_incarnation()
      throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      String record =
          "{\"name\":\"old\",\"description\":\"\",\"created\":\"2026-01-01T00:00:00Z\"}";
      table.table.commit(Commit.when()
          .put(
              NamespaceRegistry.key("old"),
              record.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      org.awaitility.Awaitility.await()
          .until(() -> table.namespaces.current("old").isPresent());
      var entry = new Audit.Entry(time.wall(), "me", "", "putJob", "", "x", "n1", 200);
      table.audit.write("old", entry);
      table.delete("old");
      for (String incarnation : List.of("0000000000000000", "ffffffffffffffff")) {
        table.audit.write("old/" + incarnation, entry);
      }
      var unused = sweep(table).sweep();
      assertThat(table.written("old/0000000000000000")).hasSize(1);
      assertThat(table.written("old/ffffffffffffffff")).hasSize(1);
    }
  }
}
