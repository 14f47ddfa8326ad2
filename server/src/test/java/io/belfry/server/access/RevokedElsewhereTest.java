package io.belfry.server.access;

import static io.belfry.server.access.Tokens.Revocation.LAST_ADMIN;
import static io.belfry.server.access.Tokens.Revocation.REVOKED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Feed;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A revocation, logout or deletion on one node takes effect on the others, in whatever order their watches report it. */
@Timeout(60)
class RevokedElsewhereTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir
  Path own;

  /** Delays the responses to commits until long after the watch has reported them. */
  private static final class LateAnswers extends DelegatingStore {
    private final AtomicBoolean late = new AtomicBoolean();
    private final CompletableFuture<Void> release = new CompletableFuture<>();

    LateAnswers(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      CompletionStage<Outcome> stage = super.commit(commit);
      return late.get() ? stage.thenCombine(release, (outcome, unused) -> outcome) : stage;
    }
  }

  private static Tokens.Made admin(TestRecordTable table) {
    return table.tokens.create("admin", Role.ADMIN, Optional.empty(), Optional.empty(), "me");
  }

  @Test
  void a_token_that_was_revoked_elsewhere_while_it_was_created_is_refused_here() throws Exception {
    var answers = new LateAnswers[1];
    try (var here =
            new TestRecordTable(own, Time.system(), store -> answers[0] = new LateAnswers(store));
        var there = here.another(Time.system(), store -> store);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      answers[0].late.set(true);
      var making = threads.submit(
          () -> here.tokens.create("ci", Role.VIEWER, Optional.empty(), Optional.empty(), "me"));
      await().atMost(LIMIT).until(() -> !there.tokens.list().isEmpty());
      String id = there.tokens.list().getFirst().id();
      assertThat(there.tokens.revoke(id)).isEqualTo(REVOKED);
      await("the feed has told here of both")
          .atMost(LIMIT)
          .until(() -> here.tokens.find(id).isEmpty());
      answers[0].release.complete(null);
      Tokens.Made made = making.get(20, TimeUnit.SECONDS);
      assertThat(here.tokens.verify(made.token())).isEmpty();
      assertThat(here.tokens.isValid(id)).isFalse();
    }
  }

  @Test
  void two_nodes_do_not_revoke_the_last_two_admins_between_them() throws Exception {
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var there = here.another(Time.system(), store -> store);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String survivor = admin(here).record().id();
      for (int round = 0; round < 20; round++) {
        String first = survivor;
        String second = admin(here).record().id();
        await()
            .atMost(LIMIT)
            .until(() -> there.tokens.find(first).isPresent()
                && there.tokens.find(second).isPresent());
        List<Callable<Tokens.Revocation>> both =
            List.of(() -> here.tokens.revoke(first), () -> there.tokens.revoke(second));
        var done = threads.invokeAll(both);
        assertThat(List.of(done.get(0).get(), done.get(1).get()))
            .containsExactlyInAnyOrder(REVOKED, LAST_ADMIN);
        survivor = done.get(0).get() == REVOKED ? second : first;
      }
    }
  }

  @Test
  void an_admin_who_expires_or_has_expired_does_not_count_as_the_one_that_is_left()
      throws Exception {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    try (var here = new TestRecordTable(own, time, store -> store)) {
      String lasting = admin(here).record().id();
      Tokens.Made passing = here.tokens.create(
          "passing", Role.ADMIN, Optional.empty(), Optional.of(Duration.ofHours(1)), "me");
      assertThat(here.tokens.revoke(lasting)).isEqualTo(LAST_ADMIN);
      time.advance(Duration.ofHours(2));
      assertThat(here.tokens.revoke(lasting)).isEqualTo(LAST_ADMIN);
      assertThat(here.tokens.revoke(passing.record().id())).isEqualTo(REVOKED);
    }
  }

  @Test
  void a_session_that_is_ended_on_one_node_is_over_on_the_other_within_the_stated_bound()
      throws Exception {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    try (var here = new TestRecordTable(own, time, store -> store);
        var there = here.another(time, store -> store)) {
      Tokens.Made made = admin(here);
      await().atMost(LIMIT).until(() -> there.tokens.isValid(made.record().id()));
      Sessions.Begun begun = here.sessions.begin(made.record().principal());
      assertThat(there.sessions.verify(begun.cookie())).isPresent();
      here.sessions.end(begun.cookie());
      assertThat(here.sessions.verify(begun.cookie())).isEmpty();
      time.advance(Sessions.REMEMBERED);
      assertThat(there.sessions.verify(begun.cookie())).isEmpty();
    }
  }

  @Test
  void a_namespace_that_is_deleted_on_one_node_ends_its_tokens_on_the_other() throws Exception {
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var there = here.another(Time.system(), store -> store)) {
      assertThat(here.namespaces.create("billing", "")).isPresent();
      Tokens.Made made =
          here.tokens.create("ci", Role.ADMIN, Optional.of("billing"), Optional.empty(), "me");
      await().atMost(LIMIT).until(() -> there.tokens.isValid(made.record().id()));
      here.delete("billing");
      assertThat(here.tokens.verify(made.token())).as("at once").isEmpty();
      await().atMost(LIMIT).until(() -> there.tokens.verify(made.token()).isEmpty());
      assertThat(there.namespaces.create("billing", "")).isPresent();
      await().atMost(LIMIT).until(() -> here.namespaces.current("billing").isPresent());
      assertThat(there.tokens.verify(made.token())).isEmpty();
      assertThat(here.tokens.verify(made.token())).isEmpty();
    }
  }

  @Test
  void a_namespace_that_is_created_again_elsewhere_while_it_is_deleted_is_known_here()
      throws Exception {
    var answers = new LateAnswers[1];
    try (var here =
            new TestRecordTable(own, Time.system(), store -> answers[0] = new LateAnswers(store));
        var there = here.another(Time.system(), store -> store);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      NamespaceRecord record = here.namespaces.create("billing", "").orElseThrow();
      await().atMost(LIMIT).until(() -> there.namespaces.current("billing").isPresent());
      answers[0].late.set(true);
      var deleting = threads.submit(() -> here.namespaces.delete(record));
      await().atMost(LIMIT).until(() -> there.namespaces.current("billing").isEmpty());
      String scope = there.namespaces.create("billing", "").orElseThrow().scope();
      await().atMost(LIMIT).until(() -> here.namespaces.isCurrent(scope));
      answers[0].release.complete(null);
      assertThat(deleting.get(20, TimeUnit.SECONDS)).isTrue();
      assertThat(here.namespaces.isCurrent(scope)).isTrue();
      assertThat(here.namespaces.current()).hasSize(1);
    }
  }

  @Test
  void a_token_that_was_revoked_makes_no_other_on_a_node_that_has_not_heard_of_it()
      throws Exception {
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var deaf = here.another(Time.system(), store -> store)) {
      Tokens.Made made = admin(here);
      var unused = admin(here);
      await().atMost(LIMIT).until(() -> deaf.tokens.isValid(made.record().id()));
      deaf.tokens.stop();
      assertThat(here.tokens.revoke(made.record().id())).isEqualTo(REVOKED);
      Principal revoked = deaf.tokens.verify(made.token()).orElseThrow();
      assertThat(
              deaf.tokens.create("late", Role.ADMIN, Optional.empty(), Optional.empty(), revoked))
          .isEmpty();
      assertThat(here.tokens.list()).noneMatch(record -> record.name().equals("late"));
    }
  }

  @Test
  void a_revocation_that_the_feed_has_lost_is_found_when_all_is_read_again() throws Exception {
    var deafened = new AtomicBoolean();
    try (var here = new TestRecordTable(own, Time.system(), store -> store);
        var there = here.another(Time.system(), store -> losing(store, deafened))) {
      Tokens.Made made = admin(here);
      var unused = admin(here);
      assertThat(here.namespaces.create("billing", "")).isPresent();
      await()
          .atMost(LIMIT)
          .until(() -> there.tokens.isValid(made.record().id())
              && there.namespaces.current("billing").isPresent());
      deafened.set(true);
      assertThat(here.tokens.revoke(made.record().id())).isEqualTo(REVOKED);
      here.delete("billing");
      there.tokens.readAgain();
      there.namespaces.readAgain();
      await()
          .atMost(LIMIT)
          .until(() -> !there.tokens.isValid(made.record().id())
              && there.namespaces.current("billing").isEmpty());
    }
  }

  /** Watches that can be muted. */
  private static Store losing(Store store, AtomicBoolean deafened) {
    return new DelegatingStore(store) {
      @Override
      public Watch watch(Feed feed, long after, Watcher watcher) {
        return super.watch(feed, after, new Watcher() {
          @Override
          public void opened(long revision) {
            watcher.opened(revision);
          }

          @Override
          public void changed(long revision, List<Change> changes) {
            if (!deafened.get()) {
              watcher.changed(revision, changes);
            }
          }

          @Override
          public void compacted() {
            watcher.compacted();
          }
        });
      }
    };
  }
}
