package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.io.EOFException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Opens connections: who we are, over what, with what patience. Knows those that are open, so that none is left when the
 * store is closed, and none hangs.
 *
 * <p>Threading: safe.
 */
class Dialer implements AutoCloseable {
  private final RedisSettings settings;
  private final Optional<SSLSocketFactory> tls;
  private final JedisClientConfig server;
  private final JedisClientConfig anonymous;
  private final Time time;
  private final Set<OneSocket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Dialer(RedisSettings settings, Time time) {
    this.settings = settings;
    this.time = time;
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
    return open(at, server, settings.timeouts().answer());
  }

  /**
   * For one question that others could answer as well: a server that stands still must not use up all the time there is for finding one
   * that does not.
   */
  Wire dialBriefly(HostAndPort at) {
    return open(at, server, brief());
  }

  private Duration brief() {
    return settings.timeouts().connect().plus(settings.timeouts().acknowledge());
  }

  /** Sentinels have users and passwords of their own; where they ask for any, they get ours. */
  Object askSentinel(HostAndPort at, String... question) {
    try (Wire wire = open(at, anonymous, brief())) {
      return wire.ask(Command.SENTINEL, question);
    } catch (JedisDataException e) {
      if (!Refusal.DENIED.contains(String.valueOf(e.getMessage()).split(" ", 2)[0])) {
        throw e;
      }
    }
    try (Wire wire = open(at, server(at), brief())) {
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

  private Wire open(HostAndPort at, JedisClientConfig config, Duration answer) {
    var socket = new OneSocket(at, tls, settings.timeouts().connect(), answer, time, open::remove);
    open.add(socket);
    if (closed) {
      socket.cut();
      throw new StoreException.Closed();
    }
    try {
      return new Wire(socket, config);
    } catch (JedisException e) {
      socket.cut();
      throw explain(at, e);
    } catch (RuntimeException | Error e) {
      socket.cut();
      throw e;
    }
  }

  /** What an error on a connection means that is not in use yet: nothing that was to be sent over it is unknown. */
  static StoreException explain(HostAndPort at, JedisException e) {
    if (e instanceof JedisDataException refused) {
      return switch (Refusal.of(refused)) {
        case Refusal.Final last ->
          last.cause() instanceof StoreException.Unknown
              ? new StoreException.Unavailable(
                  "Redis at " + at + " does not take us now: " + e.getMessage() + ".", e)
              : last.cause();
        case Refusal.NotPermitted denied -> denied.cause();
        case Refusal.Elsewhere other ->
          new StoreException.Unavailable(
              "Redis at " + at + " is not ready: " + other.why() + ".", e);
        case Refusal.Reload impossible ->
          new StoreException.Unavailable(
              "Redis at " + at + " answers strangely: " + e.getMessage() + ".", e);
      };
    }
    if (isTlsRefusal(e)) {
      return new StoreException.Denied(
          "Redis at " + at + " and we do not agree on TLS: " + deepest(e)
              + ". Check the scheme (redis or rediss) and the certificates.",
          e);
    }
    return new StoreException.Unavailable(
        "Redis at " + at + " does not answer: " + deepest(e) + ".", e);
  }

  /** A peer that takes nothing any more: whoever writes gets an error instead of waiting. */
  void cutStuckWrites(Duration patience) {
    for (OneSocket each : open) {
      if (each.isWritingFor(patience)) {
        each.cut();
      }
    }
  }

  /** Ends every connection, and every attempt to make one. */
  @Override
  public void close() {
    closed = true;
    open.forEach(OneSocket::cut);
  }

  /** A certificate or a protocol that one side does not accept. A handshake that was merely cut off is none. */
  private static boolean isTlsRefusal(Throwable e) {
    List<Throwable> chain = chain(e);
    return chain.stream().anyMatch(SSLException.class::isInstance)
        && chain.stream()
            .noneMatch(each -> each instanceof EOFException
                || each instanceof SocketException
                || each instanceof InterruptedIOException);
  }

  private static String deepest(Throwable e) {
    return String.valueOf(chain(e).getLast().getMessage());
  }

  private static List<Throwable> chain(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause).limit(20).toList();
  }
}
