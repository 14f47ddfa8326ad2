package io.belfry.server.rest;

import io.belfry.server.rest.Problem.Code;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Those who follow something here: so many, and of one token so many, that one cannot take the places of all.
 *
 * <p>Threading: safe.
 */
final class Readers {
  static final int ALL_MAX = 1000;
  static final int OF_ONE_MAX = 100;

  private final Semaphore places = new Semaphore(ALL_MAX);
  private final Map<String, Integer> taken = new ConcurrentHashMap<>();

  /** Takes a place; a {@link Problem} if there is none. Whoever enters leaves. */
  void enter(String token) {
    int mine = taken.merge(token, 1, Integer::sum);
    if (mine > OF_ONE_MAX) {
      forget(token);
      throw Problem.of(
          Code.TOO_MANY,
          "This token follows " + OF_ONE_MAX
              + " streams of this server already. Close some of them, or use another token.");
    }
    if (!places.tryAcquire()) {
      forget(token);
      throw Problem.of(
          Code.TOO_MANY,
          ALL_MAX + " readers follow this server already. Try another server, or later.");
    }
  }

  void leave(String token) {
    places.release();
    forget(token);
  }

  private void forget(String token) {
    taken.computeIfPresent(token, (key, count) -> count == 1 ? null : count - 1);
  }
}
