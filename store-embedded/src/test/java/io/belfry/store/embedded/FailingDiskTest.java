package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** No false acknowledgement whatever the disk does, and the store goes on by itself when the disk does. */
class FailingDiskTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();
  private static final Key BEFORE = Key.of(SPACE, "before");
  private static final Key DURING = Key.of(SPACE, "during");
  private static final Key AFTER = Key.of(SPACE, "after");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private final FailingDisk disk = new FailingDisk();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private EmbeddedStore store;

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(EmbeddedSettings.of(temp.resolve("store")), Time.system(), disk);
    put(store, BEFORE, "1");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Outcome commit(Key key) {
    return answer(store.commit(Commit.when().absent(key).put(key, bytes("1")).build()));
  }

  private void reopen() {
    store.close();
    open();
  }

  @Nested
  class When_the_database_can_be_opened_again_at_once {
    @Test
    void a_batch_that_did_not_reach_the_disk_is_told_so_and_the_next_one_succeeds() {
      disk.mode(FailingDisk.Mode.FULL);
      assertThatThrownBy(() -> commit(DURING)).isInstanceOf(StoreException.Full.class);
      disk.mode(FailingDisk.Mode.WORKING);
      assertThat(read(store, DURING)).isEmpty();
      assertThat(commit(DURING)).isInstanceOf(Outcome.Done.class);
      assertThat(read(store, BEFORE)).contains("1");
    }

    @Test
    void a_batch_that_did_reach_the_disk_is_acknowledged_after_all() {
      disk.mode(FailingDisk.Mode.FAILS_AFTER_WRITING);
      Outcome outcome = commit(DURING);
      disk.mode(FailingDisk.Mode.WORKING);
      assertThat(outcome).isInstanceOf(Outcome.Done.class);
      assertThat(commit(DURING)).isInstanceOf(Outcome.Refused.class);
      reopen();
      assertThat(read(store, DURING)).contains("1");
    }

    @Test
    void watchers_of_what_was_found_only_by_opening_again_must_scan_again() {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        disk.mode(FailingDisk.Mode.FAILS_AFTER_WRITING);
        commit(DURING);
        ear.awaitCompacted();
      }
    }

    @Test
    void watchers_of_what_never_happened_hear_nothing_of_it() {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        disk.mode(FailingDisk.Mode.BROKEN);
        assertThatThrownBy(() -> commit(DURING)).isInstanceOf(StoreException.Unavailable.class);
        disk.mode(FailingDisk.Mode.WORKING);
        long revision = put(store, AFTER, "1");
        assertThat(ear.changed().revision()).isEqualTo(revision);
      }
    }
  }

  @Nested
  class When_the_disk_is_full {
    private void fill(FailingDisk.Mode mode) {
      disk.mode(mode);
      disk.usable(0);
    }

    /** There is room again; the store notices at its next tick. */
    private void makeRoom() {
      disk.mode(FailingDisk.Mode.WORKING);
      disk.usable(Long.MAX_VALUE / 2);
      answer(store.tick());
    }

    @Test
    void writes_are_refused_before_the_last_byte_is_used_and_go_on_when_there_is_room() {
      fill(FailingDisk.Mode.WORKING);
      assertThatThrownBy(() -> commit(DURING))
          .isInstanceOf(StoreException.Full.class)
          .hasMessageContaining("has no room left")
          .hasMessageContaining("Make room");
      assertThat(read(store, BEFORE)).contains("1");
      disk.usable(Long.MAX_VALUE / 2);
      assertThat(commit(DURING)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void what_makes_room_is_still_let_in() {
      fill(FailingDisk.Mode.WORKING);
      assertThat(answer(store.commit(Commit.when().delete(BEFORE).build())))
          .isInstanceOf(Outcome.Done.class);
      assertThat(read(store, BEFORE)).isEmpty();
    }

    @Test
    void what_an_election_writes_is_let_in_beside_writes_that_are_refused() {
      disk.usable(EmbeddedSettings.of(temp).roomBytes() / 4);
      Lease lease = answer(store.grant(Duration.ofSeconds(60)));
      Commit take = Commit.when()
          .absent(DURING)
          .put(DURING, bytes("me"), lease.id())
          .evenIfFull()
          .build();
      var refused = new ArrayList<CompletionStage<Outcome>>();
      for (int i = 0; i < 10; i++) {
        refused.add(store.commit(Commit.when().put(AFTER, bytes("" + i)).build()));
      }
      CompletionStage<Outcome> taken = store.commit(take);
      CompletionStage<Outcome> again = store.commit(take);
      CompletionStage<Outcome> deleted =
          store.commit(Commit.when().delete(BEFORE).build());
      assertThat(answer(taken)).isInstanceOf(Outcome.Done.class);
      assertThat(answer(again)).isInstanceOf(Outcome.Refused.class);
      assertThat(answer(deleted)).isInstanceOf(Outcome.Done.class);
      for (CompletionStage<Outcome> each : refused) {
        assertThatThrownBy(() -> answer(each)).isInstanceOf(StoreException.Full.class);
      }
      assertThat(read(store, DURING)).contains("me");
      assertThat(read(store, AFTER)).isEmpty();
    }

    @Test
    void it_is_refused_where_nothing_but_the_reserve_is_left_which_deletes_need() {
      disk.usable(EmbeddedSettings.of(temp).roomBytes() / 8);
      assertThatThrownBy(() -> answer(
              store.commit(Commit.when().put(DURING, bytes("me")).evenIfFull().build())))
          .isInstanceOf(StoreException.Full.class);
      assertThat(answer(store.commit(Commit.when().delete(BEFORE).build())))
          .isInstanceOf(Outcome.Done.class);
    }

    @Test
    void leases_that_nobody_renews_still_end() {
      Lease lease = answer(store.grant(Duration.ofSeconds(1)));
      answer(store.commit(Commit.when().put(DURING, bytes("1"), lease.id()).build()));
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        fill(FailingDisk.Mode.WORKING);
        assertThat(ear.changed().changes()).hasSize(1);
      }
      assertThat(read(store, DURING)).isEmpty();
    }

    @Test
    void a_write_that_fails_is_unknown_later_ones_are_refused_and_reads_go_on() {
      store.close();
      store = EmbeddedStore.open(
          EmbeddedSettings.of(temp.resolve("store")).roomBytes(0), Time.system(), disk);
      fill(FailingDisk.Mode.FULL);
      assertThatThrownBy(() -> commit(DURING)).isInstanceOf(StoreException.Unknown.class);
      assertThatThrownBy(() -> commit(AFTER)).isInstanceOf(StoreException.Full.class);
      assertThatThrownBy(() -> answer(store.grant(Duration.ofSeconds(5))))
          .isInstanceOf(StoreException.Full.class);
      assertThat(read(store, BEFORE)).contains("1");
      assertThat(read(store, DURING)).isEmpty();
      makeRoom();
      assertThat(commit(DURING)).isInstanceOf(Outcome.Done.class);
      assertThat(commit(AFTER)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void an_unknown_batch_that_was_on_the_disk_is_there_when_the_store_is_mended() {
      store.close();
      store = EmbeddedStore.open(
          EmbeddedSettings.of(temp.resolve("store")).roomBytes(0), Time.system(), disk);
      fill(FailingDisk.Mode.FAILS_AFTER_WRITING);
      assertThatThrownBy(() -> commit(DURING)).isInstanceOf(StoreException.Unknown.class);
      makeRoom();
      assertThat(commit(DURING))
          .as("committing again settles it")
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.guard().key()).isEqualTo(DURING));
      assertThat(read(store, DURING)).contains("1");
    }
  }

  @Test
  void a_lease_survives_the_mending_and_begins_again() {
    Lease lease = answer(store.grant(Duration.ofSeconds(30)));
    disk.mode(FailingDisk.Mode.BROKEN);
    assertThatThrownBy(() -> commit(DURING)).isInstanceOf(StoreException.Unavailable.class);
    disk.mode(FailingDisk.Mode.WORKING);
    assertThat(answer(store.renew(lease.id()))).isTrue();
    answer(store.commit(Commit.when().put(DURING, bytes("1"), lease.id()).build()));
    answer(store.revoke(lease.id()));
    assertThat(read(store, DURING)).isEmpty();
  }

  @Nested
  class What_goes_wrong_again_and_again {
    @Test
    void is_logged_once_a_minute_and_the_store_goes_on_when_it_is_over() {
      var logger = (Logger) LoggerFactory.getLogger(CommitWriter.class);
      var logged = new CopyOnWriteArrayList<ILoggingEvent>();
      var appender = new AppenderBase<ILoggingEvent>() {
        @Override
        protected void append(ILoggingEvent event) {
          logged.add(event);
        }
      };
      appender.start();
      logger.addAppender(appender);
      try {
        disk.mode(FailingDisk.Mode.ABSURD);
        int before = disk.asked();
        await("many ticks").atMost(Duration.ofSeconds(30)).until(() -> disk.asked() >= before + 20);
        assertThat(logged).as("lines of %s", logged).hasSizeLessThanOrEqualTo(2);
      } finally {
        logger.detachAppender(appender);
      }
      disk.mode(FailingDisk.Mode.WORKING);
      await("the store works again")
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(() -> commit(AFTER), Outcome.Done.class::isInstance);
      assertThat(read(store, BEFORE)).contains("1");
    }
  }
}
