package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.PATIENCE_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The threads of the store go on, whatever is thrown at them. */
class GuardedThreadsTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();
  private static final Key KEY = Key.of(SPACE, "k");
  private static final Commit PUT = Commit.when().put(KEY, new byte[1]).build();

  /** A list that throws at whoever touches it, as a defect in our own code would. */
  private static <T> List<T> broken() {
    return new AbstractList<>() {
      @Override
      public T get(int index) {
        throw new IllegalStateException("planted");
      }

      @Override
      public int size() {
        throw new IllegalStateException("planted");
      }
    };
  }

  private static <T> T soon(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void the_writer_answers_what_it_could_not_serve_and_serves_what_follows(@TempDir Path temp)
      throws Exception {
    EmbeddedSettings settings = EmbeddedSettings.of(temp.resolve("store"));
    NativeLibrary.load();
    try (DataDirectory directory = DataDirectory.hold(settings.directory());
        Database database = new Database(settings, directory, Disk.REAL, () -> 1)) {
      State state = database.open(0);
      try (ChangeFeed feed = new ChangeFeed(settings, state.head().revision());
          Answers answers = new Answers();
          Writer writer =
              new Writer(new CommitWriter(database, state, feed, Time.system(), 0), answers)) {
        assertThatThrownBy(() -> soon(writer.batch(broken())))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(StoreException.Unknown.class);
        String served = soon(writer.order(scribe -> "served"));
        assertThat(served).isEqualTo("served");
        List<Outcome> later = List.of();
        for (int i = 0; later.isEmpty() && i < 100; i++) {
          later = onceOpenAgain(writer);
        }
        assertThat(later).singleElement().isInstanceOf(Outcome.Done.class);
      }
    }
  }

  /** After something unexpected the database is opened again, at a later tick; commits are refused until then. */
  private static List<Outcome> onceOpenAgain(Writer writer) throws Exception {
    try {
      return soon(writer.batch(List.of(PUT)));
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(StoreException.Unavailable.class);
      soon(writer.order(scribe -> {
        scribe.tick();
        return true;
      }));
      return List.of();
    }
  }

  @Test
  void the_feed_tells_watchers_to_scan_again_and_goes_on(@TempDir Path temp) {
    EmbeddedSettings settings = EmbeddedSettings.of(temp);
    try (ChangeFeed feed = new ChangeFeed(settings, 1)) {
      WatchProbe before = new WatchProbe();
      Watch first = feed.open(Feed.of(SPACE), Watch.NOW, before);
      before.opened();
      feed.expect(2);
      feed.append(List.of(new Step(2, broken(), 0)), 2);
      before.awaitCompacted();
      WatchProbe after = new WatchProbe();
      Watch second = feed.open(Feed.of(SPACE), Watch.NOW, after);
      after.opened();
      Change change = new Change.Put(new Entry(KEY, new byte[1], 3));
      feed.expect(3);
      feed.append(List.of(Step.of(3, List.of(change))), 3);
      assertThat(after.changed().changes()).containsExactly(change);
      first.close();
      second.close();
    }
  }
}
