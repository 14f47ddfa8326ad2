package io.belfry.testkit.fault;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A commit of new keys with reproducible values, and its outcome. Every fourth also writes a key that it shares with the others.
 *
 * <p>Threading: written by the thread that completes the call, read once all calls are complete.
 */
final class FaultCommit {
  private static final int VALUE_MAX = 64 << 10;

  private final int id;
  private final List<Key> keys = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private final Key turn;
  private final boolean inTurn;
  private volatile Optional<Outcome> outcome = Optional.empty();
  private volatile Optional<Throwable> failure = Optional.empty();

  FaultCommit(int id, List<Space> spaces, RandomGenerator random) {
    this.id = id;
    int writes = 1 + random.nextInt(3);
    for (int i = 0; i < writes; i++) {
      Space space = spaces.get(random.nextInt(spaces.size()));
      keys.add(Key.of(space, "f" + id + "-" + i));
      sizes.add((int) Math.exp(random.nextDouble() * Math.log(VALUE_MAX)));
    }
    turn = Key.of(spaces.getFirst(), "turn");
    inTurn = random.nextInt(4) == 0;
  }

  /** Guarded by the absence of its first key, so that a second application would be detected. */
  Commit commit(long lease) {
    Commit.Builder commit = Commit.when().absent(keys.getFirst());
    for (int i = 0; i < keys.size(); i++) {
      if (lease == Lease.NONE || i > 0) {
        commit.put(keys.get(i), value(i));
      } else {
        commit.put(keys.get(i), value(i), lease);
      }
    }
    if (inTurn) {
      commit.put(turn, value(0));
    }
    return commit.build();
  }

  /** Whether it also writes the one key that others write, so that it must take effect in its turn. */
  boolean isInTurn() {
    return inTurn;
  }

  /** Those that are its own. */
  List<Key> keys() {
    return keys;
  }

  byte[] value(int index) {
    byte[] bytes = new byte[Math.max(1, sizes.get(index))];
    new SplittableRandom(31L * id + index).nextBytes(bytes);
    return bytes;
  }

  void ended(Outcome how) {
    outcome = Optional.of(how);
  }

  void failed(Throwable why) {
    failure = Optional.of(why);
  }

  boolean isDone() {
    return outcome.filter(Outcome.Done.class::isInstance).isPresent();
  }

  long revision() {
    return outcome.map(how -> ((Outcome.Done) how).revision()).orElseThrow();
  }

  /** Compares the outcome with the entries in the engine. Returns the contradiction; empty if the outcome is true. */
  Optional<String> lie(Map<Key, byte[]> held) {
    int present = 0;
    for (int i = 0; i < keys.size(); i++) {
      byte[] found = held.get(keys.get(i));
      if (found != null) {
        present++;
        if (!Arrays.equals(found, value(i))) {
          return Optional.of(keys.get(i) + " has another value than the one written");
        }
      }
    }
    if (present != 0 && present != keys.size()) {
      return Optional.of("only " + present + " of " + keys + " were written, by " + this);
    }
    boolean applied = present > 0;
    if (outcome.isPresent()) {
      return isDone() && applied
          ? Optional.empty()
          : Optional.of(this + ", but applied=" + applied + " and all its keys were new");
    }
    return switch (failure.orElse(null)) {
      case null -> Optional.of(this + " has no outcome");
      case StoreException.Unknown either -> Optional.empty();
      case StoreException notApplied ->
        applied ? Optional.of(this + ", but it was applied") : Optional.empty();
      default -> Optional.of(this + " is not a failure that a store may return");
    };
  }

  @Override
  public String toString() {
    return "commit " + id + " ended as "
        + outcome
            .map(Object::toString)
            .orElseGet(() -> failure.map(Object::toString).orElse("nothing"));
  }
}
