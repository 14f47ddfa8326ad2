package io.belfry.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/**
 * Where Redis is, read from a URI.
 *
 * @param primary the name Sentinel knows the primary by; empty otherwise
 */
record RedisAddress(Kind kind, boolean tls, List<HostAndPort> seeds, String primary) {

  /** How Redis is run. */
  enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  private static final Pattern FORM =
      Pattern.compile("(redis|rediss)(\\+sentinel|\\+cluster)?://([^/?#]*)(/[^?#]*)?(.*)");
  private static final Pattern SEED =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+):(\\d{1,5})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  RedisAddress {
    seeds = List.copyOf(seeds);
  }

  static RedisAddress parse(String uri) {
    Matcher matcher = FORM.matcher(uri);
    if (!matcher.matches()) {
      throw bad(
          uri,
          "must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://",
          "Write for example redis://127.0.0.1:6379.");
    }
    if (matcher.group(3).contains("@")) {
      throw new IllegalArgumentException(
          "The Redis URI must not contain a user or password, because URIs end up in logs, but"
              + " it has an '@'. Give them as the settings user and password.");
    }
    if (!matcher.group(5).isEmpty()) {
      throw bad(
          uri,
          "must end with the addresses, without '?' or '#'",
          "Give options such as the database as settings.");
    }
    String path = matcher.group(4) == null ? "" : matcher.group(4).substring(1);
    Kind kind = matcher.group(2) == null
        ? Kind.STANDALONE
        : matcher.group(2).equals("+sentinel") ? Kind.SENTINEL : Kind.CLUSTER;
    List<HostAndPort> seeds = seeds(uri, matcher.group(3));
    check(uri, kind, seeds, path);
    return new RedisAddress(kind, matcher.group(1).equals("rediss"), seeds, path);
  }

  private static void check(String uri, Kind kind, List<HostAndPort> seeds, String path) {
    if (kind == Kind.STANDALONE && seeds.size() != 1) {
      throw bad(
          uri,
          "must name one server",
          "Several servers are a cluster (redis+cluster://) or watched by Sentinel"
              + " (redis+sentinel://).");
    }
    if (kind == Kind.SENTINEL && !NAME.matcher(path).matches()) {
      throw bad(
          uri,
          "must end with the name of the primary, as in redis+sentinel://h:26379/mymaster",
          "It is the word after 'sentinel monitor' in sentinel.conf.");
    }
    if (kind != Kind.SENTINEL && !path.isEmpty()) {
      throw bad(uri, "must not have a path", "Give the database as the setting database.");
    }
  }

  private static List<HostAndPort> seeds(String uri, String text) {
    var seeds = new ArrayList<HostAndPort>();
    for (String each : text.split(",", -1)) {
      Matcher seed = SEED.matcher(each);
      if (!seed.matches()
          || Integer.parseInt(seed.group(2)) < 1
          || Integer.parseInt(seed.group(2)) > 65535) {
        throw bad(
            uri,
            "must list addresses as host:port, but '" + each + "' is none",
            "Write every address with its port, 1 to 65535.");
      }
      seeds.add(new HostAndPort(
          seed.group(1).replace("[", "").replace("]", ""), Integer.parseInt(seed.group(2))));
    }
    return seeds;
  }

  private static IllegalArgumentException bad(String uri, String rule, String remedy) {
    return new IllegalArgumentException(
        "A Redis URI " + rule + ", but was '" + uri + "'. " + remedy);
  }

  @Override
  public String toString() {
    return kind + " " + seeds + (primary.isEmpty() ? "" : "/" + primary) + (tls ? " over TLS" : "");
  }
}
