package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The one connection that everything is written through, kept up: finds the primary, greets it, serves calls, and starts
 * over when it fails. Knows the epoch.
 *
 * <p>Threading: safe. One thread connects and writes.
 */
final class Link implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);
  private static final long PAUSE_MIN = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_MAX = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int GREETINGS_MAX = 5;

  /** Hears that another epoch has begun. */
  interface Listener {
    void epochBegan();
  }

  private record Joined(Wire wire, HostAndPort at) {}

  private final RedisSettings settings;
  private final Dialer dialer;
  private final Locator locator;
  private final Envelope envelope;
  private final Desk desk;
  private final Crew crew;
  private final Ticker ticker;
  private final CompletableFuture<@Nullable Void> established = new CompletableFuture<>();
  private volatile Known known;
  private volatile Optional<Audit> audit = Optional.empty();
  private volatile Optional<HostAndPort> primary = Optional.empty();
  private volatile @Nullable Wire joining;
  private volatile String trouble = "no answer";
  private volatile Listener listener = () -> {};

  Link(RedisSettings settings, Dialer dialer, Time time, Crew crew) {
    this.settings = settings;
    this.dialer = dialer;
    this.locator = Locator.of(settings, dialer);
    this.envelope = new Envelope(settings);
    this.desk = new Desk(time);
    this.crew = crew;
    this.ticker = new Ticker(time, this);
    this.known = Known.nothing(settings.acknowledgements().orElse(0));
  }

  /** Returns once connected; throws when that is refused, or does not happen in time. */
  void connect(Listener heard) {
    listener = heard;
    crew.start("link", this::run);
    try {
      established.get(settings.timeouts().answer().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new StoreException.Unavailable(
          "Could not connect to Redis (" + settings.address() + ") within "
              + settings.timeouts().answer() + ": " + trouble,
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException refused
          ? refused
          : new StoreException.Unavailable("Could not connect to Redis.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("Interrupted while connecting to Redis.", e);
    }
  }

  <T> CompletionStage<T> ask(Question<T> question, Call.Effect effect) {
    return submit(new Call<>(question, effect, null, deadline()));
  }

  /** Fails when the life of the data set that {@code bound} names is over. */
  <T> CompletionStage<T> askIn(Known bound, Question<T> question) {
    return submit(new Call<>(question, Call.Effect.READ, bound, deadline()));
  }

  private <T> CompletionStage<T> submit(Call<T> call) {
    desk.submit(call);
    return call.answer();
  }

  private long deadline() {
    return desk.deadline(settings.timeouts().answer());
  }

  Known known() {
    return known;
  }

  Optional<HostAndPort> primary() {
    return primary;
  }

  Optional<Audit> audit() {
    return audit;
  }

  Ticker ticker() {
    return ticker;
  }

  long untilTick() {
    return ticker.tick();
  }

  /** Learns of another epoch, or of another number of acknowledgements. Older news are ignored. */
  void adopt(Known said) {
    Known before;
    synchronized (this) {
      before = known;
      if (said.epoch() >= before.epoch()) {
        known = said;
      }
    }
    if (said.epoch() > before.epoch() && before.epoch() > 0) {
      LOG.info(
          "Redis has begun epoch {} (it was {}): a failover, a restart or a restore. Watches scan again.",
          said.epoch(),
          before.epoch());
      listener.epochBegan();
    }
  }

  private void run() {
    long pause = PAUSE_MIN;
    while (!desk.isClosed()) {
      try {
        Joined joined = join();
        established.complete(null);
        primary = Optional.of(joined.at);
        pause = PAUSE_MIN;
        new Session(joined.wire, envelope, desk, this, settings).serve(crew);
        desk.waitInVain("the connection to " + joined.at + " has ended");
      } catch (StoreException e) {
        failed(e);
        pause = Math.min(2 * pause, PAUSE_MAX);
      }
      desk.pause(pause);
    }
    desk.drainClosed();
  }

  private void failed(StoreException e) {
    trouble = String.valueOf(e.getMessage());
    if (e instanceof StoreException.Unavailable) {
      LOG.debug("No connection to Redis: {}", trouble);
      desk.waitInVain(trouble);
    } else {
      LOG.error("No connection to Redis: {}", trouble);
      established.completeExceptionally(e);
      desk.failAll(e);
    }
  }

  private Joined join() {
    Locator.Place place = locator.locate();
    Wire wire = dialer.dial(place.at());
    joining = wire;
    try {
      Audit found = Audit.of(wire, place.replicaPriorities());
      found.require(settings.durability(), place.at());
      Session.loadScripts(wire);
      greet(wire, found);
      audit = Optional.of(found);
      return new Joined(wire, place.at());
    } catch (JedisDataException e) {
      wire.cut();
      throw switch (Refusal.of(e)) {
        case Refusal.Final last -> last.cause();
        case Refusal.Elsewhere other -> new StoreException.Unavailable(other.why(), e);
        case Refusal.Reload reload -> new StoreException.Unavailable("its scripts vanish", e);
      };
    } catch (JedisException e) {
      wire.cut();
      throw new StoreException.Unavailable(
          "Redis at " + place.at() + " stopped answering: " + e.getMessage(), e);
    } catch (StoreException e) {
      wire.cut();
      throw e;
    }
  }

  /** Learns the epoch of this server, beginning one where it must, before anything is asked. */
  private void greet(Wire wire, Audit found) {
    byte[] wanted = Bytes.ascii(
        settings.acknowledgements().isPresent()
            ? "" + settings.acknowledgements().getAsInt()
            : "");
    wire.run(envelope.open(Scripts.RIGHTS, known));
    for (int i = 0; i < GREETINGS_MAX; i++) {
      Known now = known;
      Known mine = now.epoch() == 0 ? Known.nothing(acknowledgementsWhenNew(found)) : now;
      List<byte[]> hello = envelope.open(Scripts.HELLO, mine);
      hello.add(wanted);
      List<?> parts = wire.run(hello);
      String kind = Bytes.ascii(parts.getFirst());
      if (kind.equals("M")) {
        break;
      }
      adopt(Known.parse(Bytes.ascii(parts.get(1))));
      if (kind.equals("K")) {
        requireReplicas(wire);
        return;
      }
    }
    throw new StoreException.Unavailable("Redis is busy changing primaries or moving slots.", null);
  }

  /** A majority of the servers there are, of which the primary is one; at least one where failovers happen. */
  private int acknowledgementsWhenNew(Audit found) {
    return settings
        .acknowledgements()
        .orElse(
            settings.address().kind() == RedisAddress.Kind.STANDALONE
                ? 0
                : Math.max(1, (1 + found.replicas()) / 2));
  }

  /** Without enough replicas nothing could be acknowledged: better no answer than only unknown ones. */
  private void requireReplicas(Wire wire) {
    int wanted = known.acknowledgements();
    if (wanted == 0) {
      return;
    }
    wire.run(envelope.open(Scripts.BARRIER, known));
    Object had = wire.ask(
        Command.WAIT, "" + wanted, "" + settings.timeouts().acknowledge().toMillis());
    if (!(had instanceof Long count) || count < wanted) {
      throw new StoreException.Unavailable(
          "Steps must be acknowledged by " + wanted
              + " replicas, so that no failover loses them, but " + had
              + " did in time. Start replicas, or set acknowledgements to what there is (0 if a failover may lose"
              + " data).",
          null);
    }
  }

  Duration patience() {
    return settings.timeouts().answer();
  }

  @Override
  public void close() {
    desk.close();
    Wire busy = joining;
    if (busy != null) {
      busy.cut();
    }
  }
}
