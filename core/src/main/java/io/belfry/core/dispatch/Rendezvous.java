package io.belfry.core.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Consistent hashing without a ring (highest random weight: Thaler and Ravishankar, 1998). Key and worker together give a score,
 * and the worker with the highest score gets the key. When a worker leaves, only its keys move, evenly to the others; while it has no
 * credit, each of its keys goes to that key's second choice, always the same one.
 *
 * <p>A worker is identified by its configured id, without the incarnation, so that it gets its keys back after a restart. Several processes
 * with one id share its keys in the same way, each identified by its incarnation.
 *
 * <p>Threading: confined to the leader loop.
 */
final class Rendezvous implements Strategy {
  private record Known(String id, long hash, long process) {}

  /** By seat; a cache of the workers' hashes. */
  private final List<@Nullable Known> known = new ArrayList<>();

  @Override
  public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
    long key = hash(task.hashKey());
    Candidate owner = candidates.get(0);
    long highest = mix(key ^ known(owner).hash);
    for (int i = 1; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      long score = mix(key ^ known(candidate).hash);
      if (score > highest || (score == highest && isBefore(candidate, owner, key))) {
        highest = score;
        owner = candidate;
      }
    }
    return owner;
  }

  @Override
  public void reset() {
    known.clear();
  }

  private boolean isBefore(Candidate a, Candidate b, long key) {
    return mix(key ^ known(a).process) > mix(key ^ known(b).process);
  }

  private Known known(Candidate candidate) {
    int seat = candidate.seat();
    while (known.size() <= seat) {
      known.add(null);
    }
    Known cached = known.get(seat);
    if (cached == null || !Objects.equals(cached.id, candidate.id())) {
      String id = candidate.id();
      cached = new Known(id, hash(configuredId(id)), hash(id));
      known.set(seat, cached);
    }
    return cached;
  }

  private static String configuredId(String id) {
    int incarnation = id.lastIndexOf('~');
    return incarnation < 0 ? id : id.substring(0, incarnation);
  }

  /** FNV-1a over the characters; {@link #mix} spreads it. */
  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /** The finalizer of SplitMix64: every bit of the input reaches every bit of the result. */
  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
