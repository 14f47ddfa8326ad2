package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.find;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that was restored gives out revisions a second time; nobody takes the second for the first. */
class EtcdEpochTest {
  private static final Space SPACE = Space.plain("s").watchedTogether();
  private static final Key TERM = key(SPACE, "term");
  private static final Key A = key(SPACE, "a");

  @TempDir
  private Path backups;

  private EtcdServer etcd;
  private Store store;

  @BeforeEach
  void open() {
    etcd = EtcdServer.start();
    store = connect();
  }

  @AfterEach
  void close() {
    store.close();
    etcd.close();
  }

  private Store connect() {
    return EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns"));
  }

  @Test
  void epochs_begin_with_one_and_every_client_of_a_data_set_knows_it() {
    long revision = put(store, A, "1");
    assertThat(Revision.epoch(revision)).isEqualTo(1);
    try (Store another = connect()) {
      assertThat(find(another, A).orElseThrow().revision()).isEqualTo(revision);
    }
  }

  @Test
  void a_restored_backup_begins_an_epoch_before_anything_is_written_under_the_old() {
    long term = put(store, TERM, "1");
    long seen = put(store, A, "before the backup");
    backup();
    Persistent.commit(store, Commit.when().put(A, bytes("lost 1")).build());
    long lost = put(store, A, "lost 2");
    WatchProbe ear = new WatchProbe();
    Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear);
    ear.opened();
    Logged logged = Logged.begin();
    restore();

    Outcome fenced = Persistent.commit(
        store,
        Commit.when().holds(TERM, term).put(A, bytes("by the old leader")).build());
    assertThat(fenced).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
      assertThat(refused.guard().key()).isEqualTo(TERM);
      assertThat(Revision.epoch(refused.found())).isEqualTo(2);
    });
    ear.awaitCompacted();
    assertThat(logged.lines(Level.WARN, "etcd: the data set went back"))
        .singleElement()
        .asString()
        .contains(": 2 revisions that this process saw are lost", "may run again");
    logged.close();
    assertThat(read(store, A)).contains("before the backup");
    refused(store, Commit.when().unchanged(A, seen).put(A, bytes("x")));
    refused(store, Commit.when().unchanged(A, lost).put(A, bytes("x")));

    long next = put(store, A, "after");
    assertThat(next).isGreaterThan(lost);
    assertThat(Revision.epoch(next)).isEqualTo(2);
    try (Store another = connect()) {
      assertThat(find(another, A).orElseThrow().revision()).isEqualTo(next);
    }
    watch.close();
  }

  @Test
  void a_watch_from_before_the_restore_is_told_so_even_if_nothing_is_written() {
    put(store, A, "before the backup");
    backup();
    Persistent.commit(store, Commit.when().put(A, bytes("lost")).build());
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
      ear.opened();
      restore();
      ear.awaitCompacted();
    }
  }

  @Test
  void a_data_set_that_was_deleted_is_called_empty_and_one_that_is_put_back_is_used_again() {
    put(store, A, "before");
    backup();
    Persistent.commit(store, Commit.when().put(TERM, bytes("1")).build());
    WatchProbe ear = new WatchProbe();
    try (Logged logged = Logged.begin();
        Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
      ear.opened();
      etcd.gateway().deleteAll();
      long empty = put(store, key(SPACE, "while empty"), "1");
      assertThat(Revision.epoch(empty)).isEqualTo(2);
      ear.awaitCompacted();
      assertThat(logged.lines(Level.WARN, "etcd: the data set is empty")).hasSize(1);
      assertThat(read(store, A)).isEmpty();

      restore();
      long filled = Persistent.commit(store, Commit.when().put(TERM, bytes("2")).build())
              instanceof Outcome.Done done
          ? done.revision()
          : Revision.NONE;
      assertThat(Revision.epoch(filled)).isEqualTo(3);
      assertThat(read(store, A)).contains("before");
      assertThat(logged.lines(Level.WARN, "etcd: the data set went back")).hasSize(1);
    }
    WatchProbe again = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, again)) {
      again.opened();
      long revision = put(store, A, "after");
      assertThat(again.changed().revision()).isEqualTo(revision);
    }
  }

  @Test
  void a_record_of_another_cluster_begins_an_epoch() {
    long before = put(store, A, "1");
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
      ear.opened();
      etcd.gateway().put("/belfry/ns/!epoch", "1 7");
      long after = put(store, A, "2");
      assertThat(Revision.epoch(before)).isEqualTo(1);
      assertThat(Revision.epoch(after)).isEqualTo(2);
      ear.awaitCompacted();
    }
    WatchProbe resumed = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), before, resumed)) {
      resumed.awaitCompacted();
    }
  }

  @Test
  void clients_that_notice_together_begin_one_epoch() {
    try (Store another = connect()) {
      put(store, A, "1");
      put(another, A, "2");
      etcd.gateway().put("/belfry/ns/!epoch", "5 7");
      List<CompletionStage<Outcome>> answers = IntStream.range(0, 20)
          .mapToObj(i -> (i % 2 == 0 ? store : another)
              .commit(Commit.when().put(key(SPACE, "k" + i), bytes("v")).build()))
          .toList();
      for (CompletionStage<Outcome> each : answers) {
        assertThat(answer(each))
            .isInstanceOfSatisfying(
                Outcome.Done.class,
                done -> assertThat(Revision.epoch(done.revision())).isEqualTo(6));
      }
      done(another, Commit.when().put(A, bytes("3")));
    }
  }

  private void backup() {
    etcd.backup(backups.resolve("data"));
  }

  private void restore() {
    etcd.restore(backups.resolve("data"));
  }
}
