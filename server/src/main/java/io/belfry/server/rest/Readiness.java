package io.belfry.server.rest;

import io.belfry.library.Belfry;
import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the server can do its work. Anybody may ask, as often as they like: so it names no namespace, no node and no address, and looks
 * at most once a second, whoever asks. Those who may know more ask for the cluster of a namespace.
 *
 * <p>Threading: safe; one looks, and who asks meanwhile gets what was seen last.
 */
final class Readiness {
  private static final Duration KEPT = Duration.ofSeconds(1);

  private record Seen(Answer answer, long at) {}

  private final Supplier<Map<String, Belfry>> namespaces;
  private final Time time;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile Optional<Seen> last = Optional.empty();

  Readiness(Supplier<Map<String, Belfry>> namespaces, Time time) {
    this.namespaces = namespaces;
    this.time = time;
  }

  Answer answer() {
    Optional<Seen> known = last;
    if (known.isPresent() && (isFresh(known.get()) || looking.isLocked())) {
      return known.get().answer;
    }
    looking.lock();
    try {
      Optional<Seen> meanwhile = last.filter(this::isFresh);
      if (meanwhile.isEmpty()) {
        meanwhile = Optional.of(new Seen(look(), time.nanos()));
        last = meanwhile;
      }
      return meanwhile.get().answer;
    } finally {
      looking.unlock();
    }
  }

  private boolean isFresh(Seen seen) {
    return time.nanos() - seen.at < KEPT.toNanos();
  }

  private Answer look() {
    Collection<Belfry> all = namespaces.get().values();
    var found = new Found(all.size());
    all.forEach(found::look);
    ObjectNode answer = Spot.node().put("ready", found.isReady());
    found.tell(answer.putArray("checks"));
    return new Answer(found.isReady() ? 200 : 503, Optional.of(answer), Map.of());
  }

  /** Counts, which say enough to whoever has to act and nothing to anybody else. Threading: confined. */
  private static final class Found {
    private final int all;
    private int whole;
    private int answered;
    private int led;

    Found(int all) {
      this.all = all;
    }

    void look(Belfry belfry) {
      Optional<Boolean> leader = leader(belfry);
      whole += belfry.failure().isEmpty() ? 1 : 0;
      answered += leader.isPresent() ? 1 : 0;
      led += leader.orElse(false) ? 1 : 0;
    }

    /** Whether somebody leads; empty if the engine does not say, for reasons that are not for everybody. */
    private static Optional<Boolean> leader(Belfry belfry) {
      try {
        return Optional.of(belfry.cluster().leader().isPresent());
      } catch (StoreException e) {
        return Optional.empty();
      }
    }

    boolean isReady() {
      return all > 0 && whole == all && answered == all && led == all;
    }

    void tell(ArrayNode checks) {
      check(checks, "namespaces", all > 0, all + " open");
      check(checks, "node", whole == all, "works in " + whole + " of " + all);
      check(checks, "engine", answered == all, "answers for " + answered + " of " + all);
      check(checks, "leader", led == all, led + " of " + all + " have one");
    }

    private static void check(ArrayNode checks, String name, boolean ok, String detail) {
      checks.addObject().put("name", name).put("ok", ok).put("detail", detail);
    }
  }
}
