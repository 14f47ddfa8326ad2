package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Notes for the checker what a process wrote as leader, one file per fence with the highest revision, and when its store was slow to renew a
 * lease. Above any planted bug: it sees what the core asked for, and what it got.
 *
 * <p>Threading: safe.
 */
final class NotingStore extends DelegatingStore {
  static final String ACT = "act-";

  private final Time time = Time.system();
  private final Stalls stalls;
  private final String node;
  private final Map<Long, Long> highest = new HashMap<>();

  NotingStore(Store store, String node, Stalls stalls) {
    super(store);
    this.node = node;
    this.stalls = stalls;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    CompletionStage<Outcome> answer = store.commit(commit);
    commit.guards().stream()
        .filter(guard -> guard instanceof Guard.Holds && guard.key().equals(Keys.FENCE))
        .findFirst()
        .ifPresent(guard -> {
          var unused = answer.thenAccept(outcome -> {
            if (outcome instanceof Outcome.Done(long revision)) {
              acted(((Guard.Holds) guard).revision(), revision);
            }
          });
        });
    return answer;
  }

  private synchronized void acted(long fence, long revision) {
    if (highest.merge(fence, revision, Math::max) == revision) {
      try {
        Files.writeString(Path.of(ACT + fence + "-" + node), "" + revision, UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException("a write of the leader could not be noted", e);
      }
    }
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    long sent = time.nanos();
    return store.renew(lease).whenComplete((alive, broke) -> stalls.note(sent));
  }
}
