package io.belfry.server.access;

import static io.belfry.server.access.Tokens.Revocation.REVOKED;
import static io.belfry.server.access.Tokens.Revocation.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.FaultyStore;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This node refuses a token if and only if the store has confirmed its revocation. */
class TokensTest {
  @TempDir
  private Path own;

  private static Tokens.Made make(TestRecordTable table) {
    return table.tokens.create("ci", Role.VIEWER, Optional.empty(), Optional.empty(), "me");
  }

  @Test
  void a_revoked_token_is_refused_at_once() throws Exception {
    try (var table = new TestRecordTable(own, Time.system(), store -> store)) {
      Tokens.Made made = make(table);
      assertThat(table.tokens.verify(made.token())).isPresent();
      assertThat(table.tokens.revoke(made.record().id())).isEqualTo(REVOKED);
      assertThat(table.tokens.verify(made.token())).isEmpty();
      assertThat(table.tokens.revoke(made.record().id())).isEqualTo(UNKNOWN);
    }
  }

  @Test
  void a_token_whose_revocation_the_store_refused_goes_on() throws Exception {
    var deaf = new boolean[1];
    try (var table = new TestRecordTable(own, Time.system(), store -> refusing(store, deaf))) {
      Tokens.Made made = make(table);
      deaf[0] = true;
      assertThatThrownBy(() -> table.tokens.revoke(made.record().id()))
          .isInstanceOf(StoreException.Unavailable.class);
      assertThat(table.tokens.verify(made.token())).isPresent();
      assertThat(table.tokens.isValid(made.record().id())).isTrue();
      deaf[0] = false;
      assertThat(table.tokens.revoke(made.record().id())).isEqualTo(REVOKED);
      assertThat(table.tokens.verify(made.token())).isEmpty();
    }
  }

  private static Store refusing(Store store, boolean[] deaf) {
    return new DelegatingStore(store) {
      @Override
      public CompletionStage<Outcome> commit(Commit commit) {
        return deaf[0]
            ? CompletableFuture.failedStage(new StoreException.Unavailable("Away.", null))
            : super.commit(commit);
      }
    };
  }

  @Test
  void whoever_revokes_hears_that_the_outcome_is_not_known() throws Exception {
    var faulty = new FaultyStore[1];
    try (var table =
        new TestRecordTable(own, Time.system(), store -> faulty[0] = new FaultyStore(store))) {
      Tokens.Made made = make(table);
      faulty[0].loseNextRequest();
      assertThatThrownBy(() -> table.tokens.revoke(made.record().id()))
          .isInstanceOf(StoreException.Unknown.class)
          .hasMessageContaining("Whether token " + made.record().id() + " was revoked is unknown")
          .hasMessageContaining("revoke it again");
      assertThat(table.tokens.verify(made.token())).isPresent();
      assertThat(table.tokens.revoke(made.record().id())).isEqualTo(REVOKED);
      assertThat(table.tokens.verify(made.token())).isEmpty();
    }
  }

  private static final Optional<Instant> NEVER = Optional.empty();

  private static void fill(
      TestRecordTable table,
      NamespaceRecord namespace,
      Optional<Instant> expires,
      int from,
      int to) {
    for (int at = from; at < to; at += 50) {
      Commit.Builder commit = Commit.when();
      for (int i = at; i < Math.min(to, at + 50); i++) {
        var record = new TokenRecord(
            "%016x".formatted(i),
            "t" + i,
            Role.VIEWER,
            Optional.of(namespace.name()),
            Instant.EPOCH,
            expires,
            "me",
            namespace.incarnation());
        commit.put(Tokens.key("bft_" + i), RecordTable.bytes(record));
      }
      assertThat(table.table.commit(commit)).isTrue();
    }
    await().until(() -> table.tokens.find("%016x".formatted(to - 1)).isPresent());
  }

  private static Tokens.Made createIn(TestRecordTable table, Optional<String> namespace) {
    return table.tokens.create("t", Role.ADMIN, namespace, Optional.empty(), "me");
  }

  private static NamespaceRecord namespace(TestRecordTable table, String name) {
    return table.namespaces.create(name, "").orElseThrow();
  }

  @Test
  void one_namespace_does_not_use_up_the_tokens_of_others() throws Exception {
    try (var table = new TestRecordTable(own, Time.system(), store -> store)) {
      NamespaceRecord a = namespace(table, "a");
      var unusedB = namespace(table, "b");
      fill(table, a, NEVER, 0, 1000);
      assertThatThrownBy(() -> createIn(table, Optional.of("a")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("of a namespace must be fewer than 1000");
      var unusedToken = createIn(table, Optional.of("b"));
      fill(table, namespace(table, "c"), NEVER, 1000, 9900);
      assertThatThrownBy(() -> createIn(table, Optional.of("b")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("must be fewer than 9900");
      var unusedAdmin = createIn(table, Optional.empty());
    }
  }

  @Test
  void tokens_that_have_expired_keep_nobody_from_making_new_ones() throws Exception {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    try (var table = new TestRecordTable(own, time, store -> store)) {
      NamespaceRecord a = namespace(table, "a");
      fill(table, a, Optional.of(time.wall().plusSeconds(60)), 0, 1000);
      assertThatThrownBy(() -> createIn(table, Optional.of("a")))
          .hasMessageContaining("of a namespace must be fewer than 1000");
      time.advance(Duration.ofHours(1));
      assertThat(table.tokens.verify(createIn(table, Optional.of("a")).token())).isPresent();
      fill(table, namespace(table, "b"), Optional.of(time.wall().plusSeconds(60)), 1000, 10_000);
      time.advance(Duration.ofHours(1));
      assertThat(table.tokens.verify(createIn(table, Optional.of("a")).token())).isPresent();
      assertThat(table.tokens.verify(createIn(table, Optional.empty()).token())).isPresent();
    }
  }

  @Test
  void tokens_that_expire_soon_do_not_fill_the_memory_of_the_nodes() throws Exception {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    try (var table = new TestRecordTable(own, time, store -> store)) {
      NamespaceRecord a = namespace(table, "a");
      fill(table, a, Optional.of(time.wall().plusSeconds(1)), 0, 990);
      for (int i = 0; i < 30; i++) {
        time.advance(Duration.ofSeconds(2));
        var unused = table.tokens.create(
            "ci", Role.VIEWER, Optional.of("a"), Optional.of(Duration.ofSeconds(1)), "me");
        assertThat(table.tokens.list(a)).hasSizeLessThanOrEqualTo(1000);
      }
    }
  }

  @Test
  void an_expired_token_is_known_for_a_while_and_then_swept() throws Exception {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    try (var table = new TestRecordTable(own, time, store -> store)) {
      Tokens.Made lasting = make(table);
      Tokens.Made passing = table.tokens.create(
          "ci", Role.VIEWER, Optional.empty(), Optional.of(Duration.ofHours(1)), "me");
      time.advance(Tokens.KEPT_EXPIRED);
      assertThat(table.tokens.sweep()).isZero();
      assertThat(table.tokens.expired(passing.token())).isPresent();
      time.advance(Duration.ofHours(2));
      assertThat(table.tokens.sweep()).isEqualTo(1);
      await().until(() -> table.tokens.find(passing.record().id()).isEmpty());
      assertThat(table.tokens.sweep()).isZero();
      assertThat(table.tokens.verify(lasting.token())).isPresent();
    }
  }

  @Test
  void tokens_that_are_made_at_once_on_several_nodes_do_not_exceed_the_limit() throws Exception {
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var there = here.another(Time.system(), store -> store);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      NamespaceRecord a = namespace(here, "a");
      fill(here, a, NEVER, 0, 990);
      await().until(() -> there.tokens.find("%016x".formatted(989)).isPresent());
      var all = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < 20; i++) {
        all.add(() -> isMade(here));
        all.add(() -> isMade(there));
      }
      int made = 0;
      for (var each : threads.invokeAll(all)) {
        made += each.get() ? 1 : 0;
      }
      assertThat(made).isEqualTo(10);
      assertThat(here.tokens.list(a)).hasSize(1000);
    }
  }

  private static boolean isMade(TestRecordTable table) {
    for (int tries = 0; tries < 100; tries++) {
      try {
        var unused = createIn(table, Optional.of("a"));
        return true;
      } catch (InvalidException full) {
        return false;
      } catch (StoreException.Overloaded busy) {
        // others were faster: asked again
      }
    }
    throw new AssertionError("a hundred times others were faster");
  }
}
