package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits on the wire, of which the first are refused for a moment: they keep their order on a key, or are refused for good. */
@Timeout(120)
class RedisOrderTest {
  private static final int COMMITS = 2_000;
  private static final int ROUNDS = 10;

  private final RedisServer server = RedisServer.start();
  private final RedisStore store = RedisStore.connect(RedisSettings.at(server.uri()));
  private final RedisStore other =
      RedisStore.connect(RedisSettings.at(server.uri()).namespace("other"));
  private final AtomicBoolean enough = new AtomicBoolean();

  @AfterEach
  void stop() {
    store.close();
    other.close();
    server.close();
  }

  /** Another client loads the scripts again: what was on the wire before is refused, what is behind it is not. */
  @Test
  void scripts_that_vanish_and_are_loaded_by_somebody_else() {
    whileItIsRefusedNowAndThen(
        () -> put(other, key(PLAIN, "a"), "1"), () -> server.ask("SCRIPT", "FLUSH"));
  }

  @Test
  void a_server_that_takes_no_writes_for_a_moment() {
    whileItIsRefusedNowAndThen(
        () -> server.ask("CONFIG", "SET", "min-replicas-to-write", "0"),
        () -> server.ask("CONFIG", "SET", "min-replicas-to-write", "1"));
  }

  private void whileItIsRefusedNowAndThen(Runnable lift, Runnable refuse) {
    Thread trouble = Thread.ofVirtual().start(() -> {
      while (!enough.get()) {
        refuse.run();
        lift.run();
      }
    });
    try {
      for (int i = 0; i < ROUNDS; i++) {
        assertInOrder(key(PLAIN, "k" + i));
      }
    } finally {
      enough.set(true);
      join(trouble);
    }
  }

  private void assertInOrder(Key key) {
    var asked = new ArrayList<CompletionStage<Outcome>>();
    for (int i = 0; i < COMMITS; i++) {
      asked.add(store.commit(Commit.when().put(key, bytes("" + i)).build()));
    }
    assertThat(revisions(asked)).isSorted();
  }

  private static List<Long> revisions(List<CompletionStage<Outcome>> asked) {
    var revisions = new ArrayList<Long>();
    int refusals = 0;
    for (CompletionStage<Outcome> each : asked) {
      try {
        revisions.add(((Outcome.Done) answer(each)).revision());
      } catch (StoreException.Unavailable refused) {
        refusals++;
      }
    }
    assertThat(refusals).as("refused for good").isLessThan(COMMITS);
    return revisions;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
