package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What a server is set to do with our data, read before anything is trusted to it.
 *
 * @param fsync when the append-only file reaches the disk; empty when we may not know
 */
record Audit(
    boolean appendOnly,
    Optional<String> fsync,
    String evictionPolicy,
    boolean primary,
    List<HostAndPort> replicas,
    List<Integer> replicaPriorities) {
  private static final Pattern REPLICA = Pattern.compile("ip=([^,]+),port=(\\d+),.*");

  static Audit of(Wire wire, List<Integer> replicaPriorities) {
    Map<String, String> info = info(wire, "replication");
    Map<String, String> persistence = new HashMap<>();
    try {
      persistence.putAll(pairs((List<?>) wire.ask(Command.CONFIG, "GET", "append*")));
      persistence.putAll(pairs((List<?>) wire.ask(Command.CONFIG, "GET", "maxmemory-policy")));
    } catch (JedisDataException notPermitted) {
      persistence.put(
          "appendonly",
          info(wire, "persistence").getOrDefault("aof_enabled", "0").equals("1") ? "yes" : "no");
      persistence.put(
          "maxmemory-policy", info(wire, "memory").getOrDefault("maxmemory_policy", "noeviction"));
    }
    return new Audit(
        "yes".equals(persistence.get("appendonly")),
        Optional.ofNullable(persistence.get("appendfsync")),
        persistence.getOrDefault("maxmemory-policy", "noeviction"),
        "master".equals(info.get("role")),
        replicas(info),
        replicaPriorities);
  }

  /** The replicas that a server has now. */
  static List<HostAndPort> replicas(Wire wire) {
    return replicas(info(wire, "replication"));
  }

  /** Those that are connected, by the addresses that they announce: {@code slave0:ip=10.0.0.2,port=6379,state=online,...}. */
  private static List<HostAndPort> replicas(Map<String, String> info) {
    var found = new ArrayList<HostAndPort>();
    for (int i = 0; info.containsKey("slave" + i); i++) {
      Matcher matcher = REPLICA.matcher(info.getOrDefault("slave" + i, ""));
      if (matcher.matches()) {
        found.add(new HostAndPort(matcher.group(1), Integer.parseInt(matcher.group(2))));
      }
    }
    return found;
  }

  void require(RedisSettings.Durability demanded, Object server) {
    if (!primary) {
      throw new StoreException.Unavailable(
          "Redis at " + server + " is a replica. It may be in the middle of a failover.", null);
    }
    if (demanded == RedisSettings.Durability.NONE) {
      return;
    }
    requireSettings(server);
    if (replicaPriorities.stream().distinct().count() > 1 || replicaPriorities.contains(0)) {
      throw unsafe(
          server,
          "has replicas of priorities " + replicaPriorities
              + ", so a failover may prefer one that lacks acknowledged steps",
          "Set the same replica-priority, not 0, on all of them");
    }
  }

  /** What is demanded of a primary, and of a replica because it may become one. */
  void requireSettings(Object server) {
    if (!appendOnly) {
      throw unsafe(
          server,
          "has no append-only file, so a crash would lose what was acknowledged",
          "Set 'appendonly yes' in redis.conf");
    }
    if (!evictionPolicy.equals("noeviction")) {
      throw unsafe(
          server,
          "may throw our keys away when memory is short (maxmemory-policy " + evictionPolicy + ")",
          "Set 'maxmemory-policy noeviction'");
    }
  }

  private static StoreException.Denied unsafe(Object server, String what, String remedy) {
    return new StoreException.Denied(
        "Redis at " + server + " " + what + ". " + remedy
            + ", or set durability none if this data may be lost.",
        null);
  }

  /** Whether every replica there is must acknowledge, so that commits stop when one of the servers is down. */
  static boolean hasNoSpare(int acknowledgements, int replicas) {
    return acknowledgements > 0 && replicas <= acknowledgements;
  }

  /**
   * What an acknowledgement survives, in words.
   *
   * @param connected replicas that are connected now
   */
  String durability(int acknowledgements, int connected) {
    String disk = !appendOnly
        ? "no append-only file: lost with the process"
        : switch (fsync.orElse("unknown")) {
          case "always" -> "append-only file synced before every answer";
          case "everysec" ->
            "append-only file synced every second: up to 2 s lost on power loss, or when Redis is"
                + " killed while it syncs";
          case "no" ->
            "append-only file synced when the kernel likes: up to 30 s lost on power loss";
          default ->
            "append-only file, sync policy not readable: up to 2 s lost on power loss, or more";
        };
    String eviction =
        evictionPolicy.equals("noeviction") ? "" : "; keys may be evicted (" + evictionPolicy + ")";
    return disk + "; acknowledged by " + acknowledgements
        + (acknowledgements == 1 ? " replica" : " replicas") + eviction
        + warning(acknowledgements, connected).map(words -> "; " + words).orElse("");
  }

  /** That no replica may be missing, in words. */
  static Optional<String> warning(int acknowledgements, int connected) {
    return hasNoSpare(acknowledgements, connected)
        ? Optional.of("commits stop while any server is down, because " + connected
            + (connected == 1 ? " replica is" : " replicas are") + " connected and "
            + acknowledgements + " must acknowledge")
        : Optional.empty();
  }

  private static Map<String, String> info(Wire wire, String section) {
    return info(new String((byte[]) wire.ask(Command.INFO, section), UTF_8));
  }

  static Map<String, String> info(String text) {
    var fields = new HashMap<String, String>();
    for (String line : text.split("\r?\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 1));
      }
    }
    return fields;
  }

  private static Map<String, String> pairs(List<?> flat) {
    var fields = new HashMap<String, String>();
    for (int i = 0; i + 1 < flat.size(); i += 2) {
      fields.put(
          new String((byte[]) flat.get(i), UTF_8), new String((byte[]) flat.get(i + 1), UTF_8));
    }
    return fields;
  }
}
