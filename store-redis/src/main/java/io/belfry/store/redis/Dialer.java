package io.belfry.store.redis;

import io.belfry.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Opens connections: who we are, over what, with what patience. Threading: immutable. */
final class Dialer {
  private final RedisSettings settings;
  private final Optional<SSLSocketFactory> tls;
  private final JedisClientConfig server;
  private final JedisClientConfig anonymous;

  Dialer(RedisSettings settings) {
    this.settings = settings;
    this.tls = Tls.of(settings);
    this.anonymous = config(settings).build();
    DefaultJedisClientConfig.Builder known = config(settings).database(settings.database());
    Login login = settings.login();
    if (!login.password().isEmpty()) {
      known.password(login.password());
      if (!login.user().isEmpty()) {
        known.user(login.user());
      }
    }
    this.server = known.build();
  }

  /** A builder remembers the credentials of its first build, so each configuration has its own. */
  private static DefaultJedisClientConfig.Builder config(RedisSettings settings) {
    return DefaultJedisClientConfig.builder()
        .serverDefaultProtocol()
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
        .socketTimeoutMillis((int) settings.timeouts().answer().toMillis());
  }

  Wire dial(HostAndPort at) {
    return open(at, server);
  }

  /** Sentinels have users and passwords of their own; where they ask for any, they get ours. */
  Object askSentinel(HostAndPort at, String... question) {
    try (Wire wire = open(at, anonymous)) {
      return wire.ask(Command.SENTINEL, question);
    } catch (JedisDataException e) {
      if (!Refusal.DENIED.contains(String.valueOf(e.getMessage()).split(" ", 2)[0])) {
        throw e;
      }
    }
    try (Wire wire = open(at, server(at))) {
      return wire.ask(Command.SENTINEL, question);
    }
  }

  private JedisClientConfig server(HostAndPort at) {
    if (settings.login().password().isEmpty()) {
      throw new StoreException.Denied(
          "The sentinel at " + at + " asks for a password. Set user and password.", null);
    }
    return DefaultJedisClientConfig.builder().from(server).database(0).build();
  }

  private Wire open(HostAndPort at, JedisClientConfig config) {
    try {
      return new Wire(
          new OneSocket(at, tls, (int) settings.timeouts().connect().toMillis(), (int)
              settings.timeouts().answer().toMillis()),
          config);
    } catch (JedisConnectionException e) {
      if (isTlsTrouble(e)) {
        throw new StoreException.Denied(
            "Redis at " + at + " and we do not agree on TLS: " + deepest(e)
                + ". Check the scheme (redis or rediss) and the certificates.",
            e);
      }
      throw new StoreException.Unavailable(
          "Redis at " + at + " does not answer: " + deepest(e) + ".", e);
    } catch (JedisDataException e) {
      switch (Refusal.of(e)) {
        case Refusal.Final last -> throw last.cause();
        case Refusal.Elsewhere other ->
          throw new StoreException.Unavailable(
              "Redis at " + at + " is not ready: " + other.why() + ".", e);
        case Refusal.Reload impossible ->
          throw new StoreException.Unavailable(
              "Redis at " + at + " answers strangely: " + e.getMessage() + ".", e);
      }
    }
  }

  private static boolean isTlsTrouble(Throwable e) {
    return chain(e).stream().anyMatch(SSLException.class::isInstance);
  }

  private static String deepest(Throwable e) {
    return String.valueOf(chain(e).getLast().getMessage());
  }

  private static List<Throwable> chain(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause).limit(20).toList();
  }
}
