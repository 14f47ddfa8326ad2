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

/** What a deleted namespace leaves is swept, whoever crashes, and nothing else is. */
@Timeout(60)
class EndedSweepTest {
  private static final Destinations SCRIPT = Destinations.parse("destinations", List.of("script"));
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  /** So many commits are answered; then the process is gone. */
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

  private Vault vault(OpenDesk desk) {
    return new Vault(desk.desk, SecretKeys.of(List.of(new byte[32])), time, RANDOM);
  }

  private EndedSweep sweep(OpenDesk desk) {
    return new EndedSweep(desk.desk, desk.namespaces, desk.audit, time);
  }

  private NamespaceRecord fill(OpenDesk desk, String name, int records) {
    NamespaceRecord namespace = desk.namespaces.create(name, "").orElseThrow();
    for (int i = 0; i < records; i++) {
      var unused =
          desk.tokens.create("t" + i, Role.VIEWER, Optional.of(name), Optional.empty(), "me");
      vault(desk).put(namespace.scope(), "s" + i, "hidden", SCRIPT, "me");
    }
    return namespace;
  }

  @Test
  void all_of_it_and_nothing_else() throws Exception {
    try (var desk = new OpenDesk(own, time, store -> store)) {
      NamespaceRecord old = fill(desk, "billing", 130);
      NamespaceRecord stays = fill(desk, "stays", 3);
      assertThat(sweep(desk).sweep()).isZero();
      desk.delete("billing");
      NamespaceRecord again = fill(desk, "billing", 2);
      assertThat(again.scope()).isNotEqualTo(old.scope());
      assertThat(again.storeName()).isNotEqualTo(old.storeName());
      assertThat(vault(desk).of(again).find("s5")).isEmpty();
      assertThat(sweep(desk).sweep()).isEqualTo(260);
      assertThat(vault(desk).list(old.scope())).isEmpty();
      assertThat(vault(desk).list(again.scope())).hasSize(2);
      assertThat(vault(desk).list(stays.scope())).hasSize(3);
      assertThat(desk.tokens.list(stays)).hasSize(3);
      assertThat(desk.tokens.list(again)).hasSize(2);
    }
  }

  @Test
  void also_after_a_crash_in_the_middle_of_it() throws Exception {
    try (var desk = new OpenDesk(own, time, this::crashing)) {
      fill(desk, "billing", 130);
      desk.delete("billing");
      left.set(1);
      assertThatThrownBy(() -> sweep(desk).sweep()).isInstanceOf(StoreException.class);
    }
    left.set(Integer.MAX_VALUE);
    try (var desk = new OpenDesk(own, time, store -> store)) {
      assertThat(sweep(desk).sweep()).isEqualTo(160);
      assertThat(desk.tokens.list()).noneMatch(token -> !desk.tokens.isEnded(token));
    }
  }

  @Test
  void not_what_belongs_to_a_namespace_that_this_node_has_not_heard_of() throws Exception {
    try (var desk = new OpenDesk(own, time, store -> store);
        var deaf = desk.another(time, store -> store)) {
      deaf.namespaces.stop();
      NamespaceRecord fresh = fill(desk, "new", 2);
      assertThat(sweep(deaf).sweep()).isZero();
      assertThat(desk.tokens.list(fresh)).hasSize(2);
    }
  }

  @Test
  void the_records_of_the_end_are_forgotten_once_the_audit_log_is_old() throws Exception {
    try (var desk = new OpenDesk(own, time, store -> store)) {
      NamespaceRecord old = fill(desk, "billing", 0);
      desk.audit.write(
          old.scope(), new Audit.Entry(time.wall(), "me", "", "putJob", "", "x", "n1", 200));
      desk.delete("billing");
      time.advance(Audit.KEPT.plusDays(2));
      var unused = sweep(desk).sweep();
      assertThat(desk.namespaces.ended()).isEmpty();
      assertThat(desk.written(old.scope())).isEmpty();
      assertThat(fill(desk, "billing", 0).storeName())
          .as("its data on the engine is not swept, and does not come back")
          .startsWith(NamespaceBook.STORES);
      time.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void records_of_versions_without_incarnations_stay_good_until_their_namespace_is_deleted()
      throws Exception {
    try (var desk = new OpenDesk(own, time, store -> store)) {
      String record =
          "{\"name\":\"old\",\"description\":\"\",\"created\":\"2026-01-01T00:00:00Z\"}";
      String token = desk.tokens.random();
      String kept =
          "{\"id\":\"00000000000000aa\",\"name\":\"ci\",\"role\":\"ADMIN\",\"namespace\":\"old\","
              + "\"created\":\"2026-01-01T00:00:00Z\",\"expires\":null,\"by\":\"me\"}";
      desk.desk.commit(Commit.when()
          .put(NamespaceBook.key("old"), record.getBytes(java.nio.charset.StandardCharsets.UTF_8))
          .put(Tokens.key(token), kept.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      vault(desk).put("old", "s", "hidden", SCRIPT, "me");
      org.awaitility.Awaitility.await().until(() -> desk.tokens.verify(token).isPresent());
      assertThat(sweep(desk).sweep()).isZero();
      NamespaceRecord old = desk.namespaces.current("old").orElseThrow();
      assertThat(old.scope()).isEqualTo("old");
      assertThat(vault(desk).of(old).find("s")).isPresent();
      desk.delete("old");
      NamespaceRecord again = desk.namespaces.create("old", "").orElseThrow();
      assertThat(desk.tokens.verify(token)).isEmpty();
      assertThat(vault(desk).of(again).find("s")).isEmpty();
      assertThat(sweep(desk).sweep()).isEqualTo(2);
    }
  }

  @Test
  void not_the_audit_log_of_a_namespace_that_has_the_name_of_one_without_an_incarnation()
      throws Exception {
    try (var desk = new OpenDesk(own, time, store -> store)) {
      String record =
          "{\"name\":\"old\",\"description\":\"\",\"created\":\"2026-01-01T00:00:00Z\"}";
      desk.desk.commit(Commit.when()
          .put(NamespaceBook.key("old"), record.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      org.awaitility.Awaitility.await()
          .until(() -> desk.namespaces.current("old").isPresent());
      var entry = new Audit.Entry(time.wall(), "me", "", "putJob", "", "x", "n1", 200);
      desk.audit.write("old", entry);
      desk.delete("old");
      for (String incarnation : List.of("0000000000000000", "ffffffffffffffff")) {
        desk.audit.write("old/" + incarnation, entry);
      }
      var unused = sweep(desk).sweep();
      assertThat(desk.written("old/0000000000000000")).hasSize(1);
      assertThat(desk.written("old/ffffffffffffffff")).hasSize(1);
    }
  }
}
