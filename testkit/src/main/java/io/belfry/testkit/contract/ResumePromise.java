package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Feed;
import io.belfry.store.Watch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A watch resumes exactly where another one ended, or reports that it cannot. */
public interface ResumePromise extends Subject {

  private List<Long> write(int count) {
    var revisions = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      revisions.add(put(store(), key(WATCHED, "k" + i % 5), "v" + i));
    }
    return revisions;
  }

  @Test
  default void a_watch_resumes_behind_the_revision_it_is_given() {
    List<Long> revisions = write(40);
    for (int seen : new int[] {0, 1, 20, 38, 39}) {
      WatchProbe probe = new WatchProbe();
      try (Watch watch = another().watch(Feed.of(WATCHED), revisions.get(seen), probe)) {
        assertThat(probe.opened()).isEqualTo(revisions.get(seen));
        for (int i = seen + 1; i < 40; i++) {
          assertThat(probe.changed().revision()).isEqualTo(revisions.get(i));
        }
        assertThat(probe.silentFor(WatchPromise.A_WHILE)).isTrue();
      }
    }
  }

  @Test
  default void a_watch_that_is_taken_up_again_and_again_misses_and_doubles_nothing() {
    long position = put(store(), key(WATCHED, "start"), "x");
    var written = new ArrayList<Long>();
    var seen = new ArrayList<Long>();
    for (int round = 0; round < 15; round++) {
      WatchProbe probe = new WatchProbe();
      try (Watch watch = store().watch(Feed.of(WATCHED), position, probe)) {
        probe.opened();
        for (int i = 0; i < 4; i++) {
          written.add(put(store(), key(WATCHED, "k" + i), "round " + round));
        }
        for (int i = 0; i < (round == 0 ? 2 : 4); i++) {
          position = probe.changed().revision();
          seen.add(position);
        }
      }
    }
    assertThat(seen).containsExactlyElementsOf(written.subList(0, seen.size()));
  }

  @Test
  default void a_watch_behind_what_is_forgotten_is_told_so() {
    List<Long> revisions = write(10);
    forgetFeed();
    long after = put(store(), key(WATCHED, "after"), "x");
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), revisions.get(2), probe)) {
      probe.awaitCompacted();
      assertThat(probe.silentFor(WatchPromise.A_WHILE)).isTrue();
    }
    WatchProbe fresh = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), after, fresh)) {
      assertThat(fresh.opened()).isEqualTo(after);
      long next = put(store(), key(WATCHED, "next"), "x");
      assertThat(fresh.changed().revision()).isEqualTo(next);
    }
  }

  @Test
  default void a_watch_that_is_up_to_date_does_not_mind_forgetting() {
    write(10);
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      long one = put(store(), key(WATCHED, "a"), "1");
      assertThat(probe.changed().revision()).isEqualTo(one);
      forgetFeed();
      long two = put(store(), key(WATCHED, "a"), "2");
      assertThat(probe.changed().revision()).isEqualTo(two);
    }
  }
}
