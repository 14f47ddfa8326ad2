package io.belfry.store.redis;

import io.belfry.model.Check;
import io.belfry.store.CommitObserver;
import io.belfry.store.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How to reach Redis, and what is asked of it.
 *
 * <pre>{@code
 * RedisSettings.at("redis+sentinel://a:26379,b:26379,c:26379/belfry").login("belfry", password).namespace("prod")
 * }</pre>
 *
 * @param address parsed from the URI
 * @param login user and password, for Redis and for the sentinels
 * @param database only on a standalone server or behind Sentinel
 * @param certificates for TLS; empty: those Java trusts
 * @param prefix first half of the hash tag {@code {prefix:namespace}} that all keys begin with
 * @param acknowledgements replicas that must have a step before it counts, from now on and for all clients of the data
 *     set; empty: as the data set says, or, when it is new, a majority (standalone: none)
 * @param feed how much of a feed is kept
 * @param observer sees how commits get on
 */
public record RedisSettings(
    RedisAddress address,
    Login login,
    int database,
    Optional<Certificates> certificates,
    String prefix,
    String namespace,
    OptionalInt acknowledgements,
    Durability durability,
    Timeouts timeouts,
    FeedLimits feed,
    CommitObserver observer) {

  /** What is demanded of Redis's settings before anything is trusted to it. */
  public enum Durability {
    /** An append-only file, no eviction, replicas of equal priority: otherwise the store does not open. */
    FULL,
    /** Whatever Redis does, even nothing: for data that may be lost. */
    NONE
  }

  /**
   * PEM files.
   *
   * @param authority whom we trust
   * @param identity our own certificate and key (PKCS#8), when Redis asks for them
   */
  public record Certificates(Path authority, Optional<Identity> identity) {
    /** What we show. */
    public record Identity(Path certificate, Path key) {}
  }

  /**
   * Patience.
   *
   * @param connect for one server to take a connection
   * @param acknowledge for the replicas to have a step
   * @param answer for everything together: after it a call has failed, or is unknown
   */
  public record Timeouts(Duration connect, Duration acknowledge, Duration answer) {
    public static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5));

    public Timeouts {
      Check.that(
          connect.toMillis() >= 1 && acknowledge.toMillis() >= 1,
          "connect and acknowledge timeouts",
          connect + " and " + acknowledge,
          "must be at least 1 ms",
          "Leave them at their defaults, 1 s.");
      Check.that(
          connect.plus(acknowledge).compareTo(answer) <= 0,
          "timeouts.answer",
          answer,
          "must leave room for connecting (" + connect + ") and acknowledging (" + acknowledge
              + "), so that a slow replica is told from a dead server",
          "Set it to " + connect.plus(acknowledge) + " or more.");
    }
  }

  /**
   * A feed is cut at the first of the limits, in steps of an eighth. All feeds of a namespace together hold at most {@link
   * #TOGETHER} times the bytes of one.
   *
   * @param keep how long a feed is kept after its last change
   */
  public record FeedLimits(long bytes, int entries, Duration keep) {
    /** As the scripts have it: see {@code begin.lua}. */
    public static final int TOGETHER = 4;

    public static final FeedLimits DEFAULT =
        new FeedLimits(64L << 20, 100_000, Duration.ofHours(1));

    public FeedLimits {
      Check.that(
          bytes >= 8 && entries >= 8 && keep.toMillis() >= 1,
          "feed limits",
          bytes + " bytes, " + entries + " entries, " + keep,
          "must be at least 8 bytes, 8 entries and 1 ms",
          "Leave them at their defaults.");
    }
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int ACKNOWLEDGEMENTS_MAX = 100;

  public RedisSettings {
    requireName("prefix", prefix);
    requireName("namespace", namespace);
    Check.that(
        database >= 0 && (database == 0 || address.kind() != RedisAddress.Kind.CLUSTER),
        "database",
        database,
        "must be 0 in a cluster, and never negative",
        "Keep namespaces apart by prefix instead.");
    Check.that(
        acknowledgements.isEmpty()
            || (acknowledgements.getAsInt() >= 0
                && acknowledgements.getAsInt() <= ACKNOWLEDGEMENTS_MAX),
        "acknowledgements",
        acknowledgements.orElse(0),
        "must be 0 to " + ACKNOWLEDGEMENTS_MAX,
        "With two replicas, 1 survives the loss of any one server.");
    Check.that(
        certificates.isEmpty() || address.tls(),
        "certificates",
        certificates,
        "are only of use over TLS",
        "Begin the URI with rediss:// (rediss+sentinel://, rediss+cluster://).");
  }

  /** Everything else at its default. */
  public static RedisSettings at(String uri) {
    return new RedisSettings(
        RedisAddress.parse(uri),
        Login.NONE,
        0,
        Optional.empty(),
        "belfry",
        "default",
        OptionalInt.empty(),
        Durability.FULL,
        Timeouts.DEFAULT,
        FeedLimits.DEFAULT,
        CommitObserver.NONE);
  }

  /** The servers that the URI names. */
  public Set<Endpoint> endpoints() {
    return address.seeds().stream()
        .map(server -> new Endpoint(server.getHost(), server.getPort()))
        .collect(Collectors.toUnmodifiableSet());
  }

  public RedisSettings login(String user, String password) {
    return with(new Login(user, password), certificates, durability, timeouts);
  }

  public RedisSettings database(int number) {
    return new RedisSettings(
        address,
        login,
        number,
        certificates,
        prefix,
        namespace,
        acknowledgements,
        durability,
        timeouts,
        feed,
        observer);
  }

  public RedisSettings certificates(Certificates files) {
    return with(login, Optional.of(files), durability, timeouts);
  }

  public RedisSettings prefix(String first) {
    return new RedisSettings(
        address,
        login,
        database,
        certificates,
        first,
        namespace,
        acknowledgements,
        durability,
        timeouts,
        feed,
        observer);
  }

  public RedisSettings namespace(String name) {
    return new RedisSettings(
        address,
        login,
        database,
        certificates,
        prefix,
        name,
        acknowledgements,
        durability,
        timeouts,
        feed,
        observer);
  }

  public RedisSettings acknowledgements(int replicas) {
    return new RedisSettings(
        address,
        login,
        database,
        certificates,
        prefix,
        namespace,
        OptionalInt.of(replicas),
        durability,
        timeouts,
        feed,
        observer);
  }

  public RedisSettings durability(Durability demanded) {
    return with(login, certificates, demanded, timeouts);
  }

  public RedisSettings timeouts(Timeouts patience) {
    return with(login, certificates, durability, patience);
  }

  public RedisSettings feed(FeedLimits limits) {
    return new RedisSettings(
        address,
        login,
        database,
        certificates,
        prefix,
        namespace,
        acknowledgements,
        durability,
        timeouts,
        limits,
        observer);
  }

  public RedisSettings observer(CommitObserver to) {
    return new RedisSettings(
        address,
        login,
        database,
        certificates,
        prefix,
        namespace,
        acknowledgements,
        durability,
        timeouts,
        feed,
        to);
  }

  private RedisSettings with(
      Login who, Optional<Certificates> files, Durability demanded, Timeouts patience) {
    return new RedisSettings(
        address,
        who,
        database,
        files,
        prefix,
        namespace,
        acknowledgements,
        demanded,
        patience,
        feed,
        observer);
  }

  /** The hash tag: all keys of a namespace live in one slot. */
  String tag() {
    return "{" + prefix + ":" + namespace + "}";
  }

  private static void requireName(String what, String name) {
    Check.that(
        NAME.matcher(name).matches(),
        what,
        "'" + name + "'",
        "must match " + NAME + ", because it is part of every key",
        "Choose another.");
  }
}
