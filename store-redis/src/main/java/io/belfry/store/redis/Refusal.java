package io.belfry.store.redis;

import io.belfry.store.StoreException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What an error of Redis means for the call that met it.
 *
 * <p>All words known here are said before a script's first write, so that nothing was applied: see {@code begin.lua} for a
 * moving slot and a full server, {@code rights.lua} for permissions. Only rights that are taken away later end a script midway.
 */
sealed interface Refusal {

  /** The server forgot its scripts: load them, ask again. */
  record Reload() implements Refusal {}

  /** Not here, or not now: find the primary, ask again. */
  record Elsewhere(String why) implements Refusal {}

  /**
   * Password, user or rights: worth trying again only on a new connection, after somebody has changed them.
   *
   * @param midway inside a script: rights were taken away after the connection was greeted, so that what the script wrote
   *     before stays
   */
  record NotPermitted(StoreException.Denied cause, boolean midway) implements Refusal {}

  /** For good. */
  record Final(StoreException cause) implements Refusal {}

  List<String> ELSEWHERE = List.of(
      "MOVED",
      "ASK",
      "TRYAGAIN",
      "CLUSTERDOWN",
      "READONLY",
      "LOADING",
      "MASTERDOWN",
      "BUSY",
      "NOREPLICAS",
      "UNBLOCKED");
  Map<String, String> FULL = Map.of(
      "OOM", "Redis has reached maxmemory. Raise it, or delete what is not needed.",
      "MISCONF", "Redis cannot write its files. Make room on its disk and see its log.");
  List<String> DENIED = List.of("NOPERM", "NOAUTH", "WRONGPASS");
  List<String> DAMAGED = List.of("BELFRYDAMAGED", "WRONGTYPE");

  static Refusal of(JedisDataException error) {
    String message = String.valueOf(error.getMessage());
    String word = word(message);
    if (word.equals("NOSCRIPT")) {
      return new Reload();
    }
    if (ELSEWHERE.contains(word)) {
      return new Elsewhere(message);
    }
    if (FULL.containsKey(word)) {
      return new Final(full(word, message, error));
    }
    // What Redis 7.0 says inside a script instead of NOPERM.
    boolean scriptDenied = message.contains("The user executing the script can't");
    if (DENIED.contains(word) || scriptDenied) {
      return new NotPermitted(
          new StoreException.Denied(
              "Redis does not let us: " + message
                  + ". Check user and password, and give the user the rights listed in the manual.",
              error),
          message.contains("@user_script"));
    }
    if (DAMAGED.contains(word)) {
      return new Final(new StoreException.Damaged(
          "The data of this namespace is not what was written: " + message
              + ". Has something else written under its prefix?",
          error));
    }
    return new Final(new StoreException.Unknown(
        "Redis failed in a way that leaves open what it did: " + message, error));
  }

  /** By the first word of what Redis said. */
  static StoreException.Full full(String word, String message, @Nullable JedisDataException error) {
    return new StoreException.Full(FULL.get(word) + " It said: " + message, error);
  }

  /** Redis before 7 wraps an error inside a script: "ERR Error running script (...): @user_script:7: OOM ...". */
  private static String word(String message) {
    if (message.startsWith("ERR Error running script")) {
      for (String part : message.split("[\\s:@-]+", -1)) {
        if (ELSEWHERE.contains(part)
            || FULL.containsKey(part)
            || DENIED.contains(part)
            || DAMAGED.contains(part)) {
          return part;
        }
      }
    }
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }
}
