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

/** What the promises are asked of, and the words they ask in. */
public interface Subject {
  Space PLAIN = Space.plain("p");
  Space ORDERED = Space.plain("o").inOrder();
  Space WATCHED = Space.plain("w").inOrder().watchedTogether();
  Space INBOX = Space.plain("in").watchedByKey();
  /** Its name begins like another's: spaces must not leak into each other. */
  Space NEIGHBOUR = Space.plain("o2").inOrder();

  /** Longer than anything takes on a busy machine; a test that waits this long has failed. */
  int PATIENCE_SECONDS = 60;

  Store store();

  /** Another client of the same data set. */
  Store another();

  /** Makes the engine forget all changes so far, as it does by itself when the feed grows too long. */
  void forgetFeed();

  /**
   * Makes the engine begin another epoch, as it does when acknowledged steps may have been taken back.
   *
   * @return a client that goes on with the data set; {@link #store()} may be of no use any more
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

  /** The answer, or the failure as it is; never a hang. */
  static <T> T answer(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + PATIENCE_SECONDS + " s: the store hangs", e);
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

  /** Commits and demands success; the revision of the step. */
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

  /** Every page of the scan, one behind the other. */
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
