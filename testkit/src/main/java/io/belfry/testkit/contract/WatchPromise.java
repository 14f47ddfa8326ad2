package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A watch delivers every change of its feed once, in the order of the commits, and nothing else. */
public interface WatchPromise extends Subject {
  /** Long enough for an unexpected event to arrive, short enough for every run. */
  Duration A_WHILE = Duration.ofMillis(300);

  @Test
  default void a_watch_hears_changes_in_the_order_of_the_commits() {
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      long opened = probe.opened();
      var revisions = new ArrayList<Long>();
      for (int i = 0; i < 50; i++) {
        revisions.add(put(i % 2 == 0 ? store() : another(), key(WATCHED, "k" + i % 7), "v" + i));
      }
      assertThat(revisions.getFirst()).isGreaterThan(opened);
      for (int i = 0; i < 50; i++) {
        WatchProbe.Event.Changed seen = probe.changed();
        assertThat(seen.revision()).isEqualTo(revisions.get(i));
        assertThat(seen.changes()).singleElement().isInstanceOfSatisfying(Change.Put.class, put -> {
          assertThat(put.entry().revision()).isEqualTo(seen.revision());
        });
        assertThat(valueOf(seen.changes().getFirst())).isEqualTo("v" + i);
      }
    }
  }

  @Test
  default void all_changes_of_a_step_are_heard_together() {
    WatchProbe probe = new WatchProbe();
    put(store(), key(WATCHED, "old"), "x");
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      long revision = done(
          store(),
          Commit.when()
              .put(key(WATCHED, "a"), bytes("1"))
              .delete(key(WATCHED, "old"))
              .put(key(ORDERED, "not watched"), bytes("2"))
              .put(key(WATCHED, "b"), bytes("3")));
      WatchProbe.Event.Changed seen = probe.changed();
      assertThat(seen.revision()).isEqualTo(revision);
      assertThat(seen.changes())
          .extracting(Change::key)
          .containsExactlyInAnyOrder(key(WATCHED, "a"), key(WATCHED, "old"), key(WATCHED, "b"));
      assertThat(seen.changes()).contains(new Change.Deleted(key(WATCHED, "old")));
    }
  }

  @Test
  default void what_changed_nothing_is_not_heard() {
    Key key = key(WATCHED, "a");
    long first = put(store(), key, "1");
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      refused(store(), Commit.when().absent(key).put(key, bytes("2")));
      done(store(), Commit.when().delete(key(WATCHED, "never was")));
      put(store(), key(ORDERED, "another space"), "x");
      long last = done(store(), Commit.when().unchanged(key, first).put(key, bytes("3")));
      assertThat(probe.changed().revision()).isEqualTo(last);
    }
  }

  @Test
  default void an_inbox_hears_its_own_key_only() {
    Key mine = key(INBOX, "worker-1");
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(mine), Watch.NOW, probe)) {
      probe.opened();
      for (int i = 0; i < 10; i++) {
        put(another(), key(INBOX, "worker-2"), "theirs " + i);
        put(another(), key(INBOX, "worker-10"), "theirs " + i);
        put(store(), mine, "mine " + i);
        assertThat(valueOf(probe.changed().changes().getFirst())).isEqualTo("mine " + i);
      }
      assertThat(probe.silentFor(A_WHILE)).isTrue();
    }
  }

  @Test
  default void several_watchers_hear_the_same() {
    List<WatchProbe> probes =
        IntStream.range(0, 5).mapToObj(i -> new WatchProbe()).toList();
    List<Watch> watches = probes.stream()
        .map(probe -> store().watch(Feed.of(WATCHED), Watch.NOW, probe))
        .toList();
    probes.forEach(WatchProbe::opened);
    List<CompletionStage<Outcome>> puts = IntStream.range(0, 100)
        .mapToObj(i -> store()
            .commit(Commit.when().put(key(WATCHED, "k" + i), bytes("v" + i)).build()))
        .toList();
    puts.forEach(Subject::answer);
    put(store(), key(WATCHED, "end"), "end");
    List<List<Key>> seen = probes.stream()
        .map(probe ->
            probe.changesUntil(change -> change.key().equals(key(WATCHED, "end"))).stream()
                .flatMap(word -> word.changes().stream())
                .map(Change::key)
                .toList())
        .toList();
    watches.forEach(Watch::close);
    assertThat(seen.getFirst()).hasSize(101).doesNotHaveDuplicates();
    assertThat(seen).containsOnly(seen.getFirst());
  }

  @Test
  default void a_closed_watch_is_silent() {
    WatchProbe closed = new WatchProbe();
    WatchProbe open = new WatchProbe();
    Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, closed);
    try (Watch other = store().watch(Feed.of(WATCHED), Watch.NOW, open)) {
      closed.opened();
      open.opened();
      watch.close();
      watch.close();
      put(store(), key(WATCHED, "a"), "1");
      open.changed();
      assertThat(closed.silentFor(A_WHILE)).isTrue();
    }
  }

  @Test
  default void only_watched_spaces_can_be_watched() {
    assertThatThrownBy(() -> Feed.of(PLAIN))
        .hasMessageContaining("A feed is a space watched together");
    assertThatThrownBy(() -> Feed.of(INBOX)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Feed.of(key(WATCHED, "a")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Otherwise it would believe for ever that what it knows is up to date. */
  @Test
  default void a_watcher_that_throws_is_told_to_scan_again_and_the_others_hear_everything() {
    for (Class<? extends WatchProbe.Event> at : List.of(
        WatchProbe.Event.Opened.class,
        WatchProbe.Event.Changed.class,
        WatchProbe.Event.Compacted.class)) {
      WatchProbe ear = new WatchProbe();
      WatchProbe throwing = new WatchProbe();
      throwing.throwAt(
          at == WatchProbe.Event.Compacted.class
              ? Set.of(WatchProbe.Event.Changed.class, at)
              : Set.of(at));
      try (Watch bad = store().watch(Feed.of(WATCHED), Watch.NOW, throwing);
          Watch good = store().watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        throwing.opened();
        long revision = put(store(), key(WATCHED, "a"), at.getSimpleName());
        if (at != WatchProbe.Event.Opened.class) {
          assertThat(throwing.changed().revision()).isEqualTo(revision);
        }
        throwing.next(WatchProbe.Event.Compacted.class);
        assertThat(ear.changed().revision()).isEqualTo(revision);
        assertThat(put(store(), key(WATCHED, "b"), "2")).isEqualTo(ear.changed().revision());
        assertThat(throwing.silentFor(A_WHILE)).isTrue();
      }
    }
  }

  @Test
  default void large_changes_are_heard_whole() {
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      byte[] large = new byte[900 << 10];
      large[large.length - 1] = 42;
      for (int i = 0; i < 5; i++) {
        long revision = done(
            store(),
            Commit.when().put(key(WATCHED, "k" + i), large).put(key(WATCHED, "s" + i), bytes("s")));
        WatchProbe.Event.Changed seen = probe.changed();
        assertThat(seen.revision()).isEqualTo(revision);
        assertThat(seen.changes()).hasSize(2);
        assertThat(((Change.Put) seen.changes().getFirst()).entry().value()).isEqualTo(large);
      }
    }
  }

  @Test
  default void scan_and_watch_together_have_no_gap() {
    Store writer = another();
    var answers = new ArrayList<CompletionStage<Outcome>>();
    @Nullable WatchedCopy mirror = null;
    for (int i = 0; i < 600; i++) {
      Key key = key(WATCHED, "k%03d".formatted(i * 7 % 250));
      answers.add(writer.commit(
          i % 5 == 4
              ? Commit.when().delete(key).build()
              : Commit.when().put(key, bytes("v" + i)).build()));
      if (i == 300) {
        mirror = WatchedCopy.of(store(), WATCHED, 50);
      }
    }
    answers.forEach(Subject::answer);
    put(writer, key(WATCHED, "end"), "end");
    assertThat(Objects.requireNonNull(mirror).awaitKey(key(WATCHED, "end")))
        .isEqualTo(WatchedCopy.snapshot(store(), WATCHED));
    mirror.close();
    assertThat(answer(store().get(List.of(key(WATCHED, "end"))))).hasSize(1);
  }

  private static String valueOf(Change change) {
    return Subject.text(((Change.Put) change).entry());
  }
}
