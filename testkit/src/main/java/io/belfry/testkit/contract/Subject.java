package io.belfry.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The store under test, and helpers for the tests of the contract. */
public interface Subject {
  Space PLAIN = Space.plain("p");
  Space ORDERED = Space.plain("o").inOrder();
  Space WATCHED = Space.plain("w").inOrder().watchedTogether();
  Space INBOX = Space.plain("in").watchedByKey();
  /** Its name has another space's name as a prefix: spaces must not leak into each other. */
  Space NEIGHBOUR = Space.plain("o2").inOrder();

  /** Longer than any operation takes on a busy machine; a test that waits this long has failed. */
  int PATIENCE_SECONDS = 60;

  Store store();

  /** Another client of the same data set. */
  Store another();

  /** Makes the engine compact the change feed, as it does by itself when the feed becomes too long. */
  void forgetFeed();

  /**
   * Makes the engine start another epoch, as it does when acknowledged commits may have been lost.
   *
   * @return a client of the same data set; {@link #store()} may no longer work
   */
  Store inAnotherEpoch();

  static Key key(Space space, String name) {
    return Key.of(space, name);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(Entry entry) {
    return new String(entry.value(), UTF_8);
  }

  /** Waits for the result, with a time limit; throws the original failure. */
  static <T> T answer(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no result within " + PATIENCE_SECONDS + " s: the store hangs", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the store", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new CompletionException(e.getCause());
    }
  }

  /** Commits, asserts success, and returns the revision. */
  static long done(Store store, Commit.Builder commit) {
    Outcome outcome = answer(store.commit(commit.build()));
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done) outcome).revision();
  }

  static long put(Store store, Key key, String value) {
    return done(store, Commit.when().put(key, bytes(value)));
  }

  static Outcome.Refused refused(Store store, Commit.Builder commit) {
    Outcome outcome = answer(store.commit(commit.build()));
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return (Outcome.Refused) outcome;
  }

  static Optional<Entry> find(Store store, Key key) {
    return answer(store.get(List.of(key))).stream().findFirst();
  }

  static Optional<String> read(Store store, Key key) {
    return find(store, key).map(Subject::text);
  }

  /** All pages of the scan. */
  static List<Entry> scanAll(Store store, Scan from) {
    var all = new ArrayList<Entry>();
    Optional<Scan> next = Optional.of(from);
    while (next.isPresent()) {
      Page page = answer(store.scan(next.get()));
      all.addAll(page.entries());
      next = page.next();
    }
    return all;
  }
}
