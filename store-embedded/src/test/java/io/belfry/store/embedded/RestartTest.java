package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.ManualTime;
import io.belfry.testkit.contract.WatchProbe;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a restart keeps, and what it must not pretend to know. */
class RestartTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();
  private static final Key KEY = Key.of(SPACE, "k");
  private static final Duration TTL = Duration.ofSeconds(10);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));

  @SuppressWarnings("NullAway.Init") // opened before each test
  private EmbeddedStore store;

  private EmbeddedSettings settings() {
    return EmbeddedSettings.of(temp.resolve("store"));
  }

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(settings(), time, Disk.REAL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void restart() {
    store.close();
    open();
  }

  /** Time as it passes for a store that runs: in small steps, each of them looked at. */
  private void pass(Duration duration) {
    for (Duration rest = duration; rest.isPositive(); rest = rest.minusMillis(500)) {
      time.advance(rest.compareTo(Duration.ofMillis(500)) < 0 ? rest : Duration.ofMillis(500));
      answer(store.tick());
    }
  }

  @Test
  void revisions_do_not_go_down_though_the_last_step_left_nothing_behind() {
    put(store, KEY, "1");
    long last = done(store, Commit.when().delete(KEY));
    restart();
    assertThat(put(store, KEY, "2")).isGreaterThan(last);
  }

  @Test
  void leases_start_over_when_a_disk_was_mended() {
    var disk = new FailingDisk();
    store.close();
    store = EmbeddedStore.open(settings(), time, disk);
    Lease lease = answer(store.grant(TTL));
    done(store, Commit.when().put(KEY, bytes("1"), lease.id()));
    pass(TTL.minusSeconds(1));
    disk.mode(FailingDisk.Mode.BROKEN);
    assertThatThrownBy(() -> put(store, Key.of(SPACE, "other"), "1"))
        .isInstanceOf(StoreException.Unavailable.class);
    disk.mode(FailingDisk.Mode.WORKING);
    pass(TTL.minusSeconds(1));
    assertThat(read(store, KEY)).contains("1");
    pass(Duration.ofSeconds(2));
    assertThat(read(store, KEY)).isEmpty();
  }

  @Test
  void guards_and_revisions_go_on_where_they_were() {
    long first = put(store, KEY, "1");
    done(store, Commit.when().put(Key.of(SPACE, "gone"), bytes("x")));
    done(store, Commit.when().delete(Key.of(SPACE, "gone")));
    restart();
    assertThat(refused(store, Commit.when().absent(KEY).put(KEY, bytes("2"))).found())
        .isEqualTo(first);
    done(store, Commit.when().absent(Key.of(SPACE, "gone")).put(Key.of(SPACE, "gone"), bytes("y")));
    assertThat(done(store, Commit.when().unchanged(KEY, first).put(KEY, bytes("2"))))
        .isGreaterThan(first);
    restart();
    assertThat(read(store, KEY)).contains("2");
  }

  @Nested
  class Leases_of_before {
    /** The directory's lock proves that their holders are gone. */
    @Test
    void end_when_the_store_is_opened() {
      Lease lease = answer(store.grant(TTL));
      Lease another = answer(store.grant(TTL));
      Key second = Key.of(SPACE, "second");
      done(
          store,
          Commit.when().put(KEY, bytes("1"), lease.id()).put(second, bytes("2"), another.id()));
      long kept = put(store, Key.of(SPACE, "kept"), "3");
      restart();
      assertThat(read(store, KEY)).isEmpty();
      assertThat(read(store, second)).isEmpty();
      assertThat(read(store, Key.of(SPACE, "kept"))).contains("3");
      assertThat(answer(store.renew(lease.id()))).isFalse();
      assertThat(put(store, KEY, "4")).isGreaterThan(kept);
      restart();
      assertThat(read(store, KEY)).contains("4");
    }

    @Test
    void take_their_keys_with_them_and_a_watch_that_resumes_hears_it() {
      Lease lease = answer(store.grant(TTL));
      long last = done(store, Commit.when().put(KEY, bytes("1"), lease.id()));
      restart();
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), last, ear)) {
        ear.opened();
        assertThat(ear.changed().changes()).containsExactly(new Change.Deleted(KEY));
      }
    }

    @Test
    void begin_again_where_their_end_cannot_be_written() {
      Lease lease = answer(store.grant(TTL));
      done(store, Commit.when().put(KEY, bytes("1"), lease.id()));
      store.close();
      var disk = new FailingDisk();
      disk.mode(FailingDisk.Mode.BROKEN);
      store = EmbeddedStore.open(settings(), time, disk);
      assertThat(read(store, KEY)).contains("1");
      disk.mode(FailingDisk.Mode.WORKING);
      pass(TTL.minusSeconds(1));
      assertThat(answer(store.renew(lease.id()))).isTrue();
      pass(TTL);
      assertThat(answer(store.renew(lease.id()))).isFalse();
    }

    @Test
    void are_never_given_out_again() {
      Lease lease = answer(store.grant(TTL));
      answer(store.revoke(lease.id()));
      restart();
      assertThat(answer(store.grant(TTL)).id()).isGreaterThan(lease.id());
      assertThat(
              answer(store.commit(Commit.when().put(KEY, bytes("1"), lease.id()).build())))
          .isEqualTo(new Outcome.LeaseEnded(lease.id()));
    }
  }

  @Nested
  class A_pause_of_the_process {
    @Test
    void ends_no_lease_however_long_it_was() {
      Lease lease = answer(store.grant(TTL));
      done(store, Commit.when().put(KEY, bytes("1"), lease.id()));
      time.advance(TTL.multipliedBy(20));
      answer(store.tick());
      assertThat(read(store, KEY)).contains("1");
      pass(TTL.minusSeconds(1));
      assertThat(answer(store.renew(lease.id()))).isTrue();
      pass(TTL);
      assertThat(answer(store.renew(lease.id()))).isFalse();
    }

    @Test
    void shorter_than_half_a_lease_changes_nothing() {
      Lease lease = answer(store.grant(TTL));
      done(store, Commit.when().put(KEY, bytes("1"), lease.id()));
      for (int i = 0; i < 3; i++) {
        time.advance(TTL.dividedBy(2).minusMillis(1));
        answer(store.tick());
      }
      assertThat(read(store, KEY)).isEmpty();
    }
  }

  @Nested
  class A_watch_that_resumes {
    @Test
    void at_the_last_revision_hears_what_comes() {
      long last = put(store, KEY, "1");
      restart();
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), last, ear)) {
        assertThat(ear.opened()).isEqualTo(last);
        long next = put(store, KEY, "2");
        assertThat(ear.changed().revision()).isEqualTo(next);
      }
    }

    @Test
    void before_it_must_scan_again() {
      long first = put(store, KEY, "1");
      put(store, KEY, "2");
      restart();
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), first, ear)) {
        ear.awaitCompacted();
      }
    }

    @Test
    void behind_everything_that_ever_happened_must_scan_again() {
      long last = put(store, KEY, "1");
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), last + 1000, ear)) {
        ear.awaitCompacted();
      }
    }
  }

  @Nested
  class A_new_epoch {
    @Test
    void is_later_than_everything_and_no_fence_of_before_holds() {
      long won = put(store, KEY, "leader");
      store.close();
      assertThat(EmbeddedStore.beginEpoch(settings())).isEqualTo(Revision.epoch(won) + 1);
      open();
      Key work = Key.of(SPACE, "work");
      assertThat(refused(store, Commit.when().holds(KEY, won).put(work, bytes("1")))
              .found())
          .isEqualTo(won);
      long again = done(store, Commit.when().unchanged(KEY, won).put(KEY, bytes("leader")));
      assertThat(Revision.epoch(again)).isEqualTo(Revision.epoch(won) + 1);
      done(store, Commit.when().holds(KEY, again).put(work, bytes("1")));
    }

    @Test
    void keeps_a_restored_copy_apart_from_what_it_was_copied_from() throws Exception {
      put(store, KEY, "1");
      store.close();
      Path copy = temp.resolve("copy");
      Copies.copy(settings().directory(), copy);
      open();
      long lost = put(store, KEY, "after the copy was made");
      store.close();
      Copies.copy(copy, settings().directory());
      EmbeddedStore.beginEpoch(settings());
      open();
      assertThat(read(store, KEY)).contains("1");
      assertThat(put(store, KEY, "another value")).isGreaterThan(lost);
      refused(store, Commit.when().unchanged(KEY, lost).put(KEY, bytes("by one who saw it")));
    }
  }

  @Test
  void time_may_be_the_systems() {
    store.close();
    store = EmbeddedStore.open(settings(), Time.system(), Disk.REAL);
    assertThat(answer(store.status()).engine()).isEqualTo("embedded");
    assertThat(answer(store.status()).version()).startsWith("RocksDB 11.");
    assertThat(answer(store.status()).fullness()).isBetween(0.0, 1.0);
  }
}
