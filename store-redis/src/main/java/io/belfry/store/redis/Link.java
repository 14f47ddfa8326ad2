package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import io.belfry.store.Revision;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
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
  private final CallQueue desk;
  private final StoreThreads crew;
  private final ExpirySweeper ticker;
  private final ConnectionLog log;
  private final LogLimiter unexpected;
  private final ReplicaCheck replicaCheck;
  private final Watchdog watchdog;
  private final Topology topology;
  private final Time time;
  private final AtomicLong connections = new AtomicLong();
  private final CompletableFuture<@Nullable Void> established = new CompletableFuture<>();
  private volatile DataSetLife known;
  private volatile long seen;
  private volatile Optional<Audit> audit = Optional.empty();
  private volatile Optional<HostAndPort> primary = Optional.empty();
  private volatile @Nullable Wire current;
  private volatile String cutBecause = "";
  private volatile String trouble = "no answer";
  private volatile boolean serving;
  private volatile Listener listener = () -> {};

  Link(RedisSettings settings, Dialer dialer, Locator locator, Time time, StoreThreads crew) {
    this.settings = settings;
    this.time = time;
    this.dialer = dialer;
    this.locator = locator;
    this.envelope = new Envelope(settings);
    this.desk = new CallQueue(time);
    this.crew = crew;
    this.ticker = new ExpirySweeper(time, this);
    this.log = new ConnectionLog(time, settings.namespace());
    this.unexpected = LogLimiter.everyMinute(time);
    this.replicaCheck = new ReplicaCheck(dialer, settings, time);
    this.watchdog = new Watchdog(time, desk, this, dialer, settings.timeouts().answer());
    this.topology = new Topology(settings, dialer, Locator.of(settings, dialer), time);
    this.known = DataSetLife.nothing(settings.acknowledgements().orElse(0));
  }

  /** Returns once connected; throws when that is refused, or does not happen in time. */
  void connect(Listener heard) {
    listener = heard;
    crew.start("watchdog", watchdog::run);
    crew.start("link", this::run);
    crew.start("topology", topology::run);
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

  <T> CompletionStage<T> ask(ScriptCall<T> question, Call.Effect effect) {
    return submit(new Call<>(question, effect, null, deadline()));
  }

  /** Complete by that instant on the stopwatch. */
  <T> CompletionStage<T> askBy(long deadline, ScriptCall<T> question, Call.Effect effect) {
    return submit(new Call<>(question, effect, null, deadline));
  }

  /** Fails when the life of the data set that {@code bound} names is over. */
  <T> CompletionStage<T> askIn(DataSetLife bound, ScriptCall<T> question) {
    return submit(new Call<>(question, Call.Effect.READ, bound, deadline()));
  }

  private <T> CompletionStage<T> submit(Call<T> call) {
    desk.submit(call);
    return call.answer();
  }

  private long deadline() {
    return desk.deadline(settings.timeouts().answer());
  }

  DataSetLife known() {
    return known;
  }

  Optional<HostAndPort> primary() {
    return primary;
  }

  Optional<Audit> audit() {
    return audit;
  }

  /** The servers of the settings, and those that were found. */
  Set<Endpoint> endpoints() {
    return topology.all();
  }

  ExpirySweeper ticker() {
    return ticker;
  }

  long untilTick() {
    return ticker.tick();
  }

  /** A step that this client was told of as acknowledged, or read. */
  void saw(long revision) {
    if (revision > seen) {
      // Two threads at once may leave the smaller: good enough for a log line.
      seen = revision;
    }
  }

  /** Learns of another epoch, or of another number of acknowledgements. Older news are ignored. */
  void adopt(DataSetLife.Told told) {
    DataSetLife said = told.known();
    DataSetLife before;
    synchronized (this) {
      before = known;
      if (said.epoch() >= before.epoch()) {
        known = said;
      }
    }
    if (said.epoch() > before.epoch() && before.epoch() > 0) {
      log.epochBegan(before.epoch(), said.epoch(), told.beganAt(), Revision.counter(seen));
      listener.epochBegan();
    }
  }

  /** Whether calls are served at this moment. */
  boolean isServing() {
    return serving;
  }

  /** How often a connection was made after the first one. */
  long reconnects() {
    return Math.max(0, connections.get() - 1);
  }

  /** The one loop of the link's thread: whatever is thrown, it goes on until the store is closed. */
  private void run() {
    long pause = PAUSE_MIN;
    while (!desk.isClosed()) {
      try {
        Joined joined = join();
        // A server that lets us in and refuses the first call is asked ever more rarely.
        pause = serve(joined) ? PAUSE_MIN : longer(pause);
      } catch (StoreException e) {
        failed(e);
        pause = longer(pause);
      } catch (RuntimeException | Error e) {
        var unused = unexpected.log(
            String.valueOf(e),
            more -> LOG.error(
                "Redis: an unexpected error while connecting{}. It is tried again.", more, e));
        failed(new StoreException.Unavailable("Redis could not be connected to: " + e, e));
        pause = longer(pause);
      }
      desk.pause(pause);
    }
    desk.drainClosed();
  }

  private static long longer(long pause) {
    return Math.min(2 * pause, PAUSE_MAX);
  }

  /** Whether it was of use: false when the server refused something right after it had let us in. */
  private boolean serve(Joined joined) {
    log.connected(joined.at);
    primary = Optional.of(joined.at);
    connections.incrementAndGet();
    established.complete(null);
    cutBecause = "";
    var session = new Session(joined.wire, envelope, desk, this, settings);
    long begun = time.nanos();
    try {
      serving = true;
      String why = session.serve(crew);
      if (!desk.isClosed()) {
        String reason = cutBecause.isEmpty() ? why : cutBecause;
        log.lost(joined.at, reason);
        desk.waitInVain("the connection to " + joined.at + " has ended: " + reason);
      }
    } finally {
      serving = false;
      joined.wire.cut();
    }
    return !session.wasRefused() || time.nanos() - begun >= PAUSE_MAX;
  }

  /** A refusal is an outage with a reason: only who connects for the first time is told at once, and stops. */
  private void failed(StoreException e) {
    trouble = String.valueOf(e.getMessage());
    if (desk.isClosed()) {
      return;
    }
    log.failed(e);
    if (e instanceof StoreException.Unavailable) {
      desk.waitInVain(trouble);
    } else {
      established.completeExceptionally(e);
      desk.failAll(e);
    }
  }

  /** The session ends, and with it what is away. From any thread. */
  void cutConnection(String why) {
    Wire wire = current;
    if (wire != null) {
      cutBecause = why;
      wire.cut();
    }
  }

  private Joined join() {
    Locator.Place place = locator.locate();
    var found = new ArrayList<>(place.others());
    found.add(place.at());
    topology.found(found);
    Wire wire = dialer.dial(place.at());
    current = wire;
    try {
      Audit audited = Audit.of(wire, place.replicaPriorities());
      found.addAll(audited.replicas());
      topology.found(found);
      audited.require(settings.durability(), place.at());
      ReplayRights.require(wire, settings, place.at());
      if (!established.isDone()) {
        replicaCheck.require(audited.replicas());
      }
      Session.loadScripts(wire);
      greet(wire, audited);
      audit = Optional.of(audited);
      log.replicas(known.acknowledgements(), audited.replicas().size());
      return new Joined(wire, place.at());
    } catch (JedisException e) {
      wire.cut();
      throw Dialer.explain(place.at(), e);
    } catch (RuntimeException | Error e) {
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
      DataSetLife now = known;
      DataSetLife mine =
          now.epoch() == 0 ? DataSetLife.nothing(acknowledgementsWhenNew(found)) : now;
      List<byte[]> hello = envelope.open(Scripts.HELLO, mine);
      hello.add(wanted);
      List<?> parts = wire.run(hello);
      String kind = Bytes.ascii(parts.getFirst());
      if (kind.equals("M")) {
        break;
      }
      adopt(DataSetLife.Told.parse(parts));
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
                : Math.max(1, (1 + found.replicas().size()) / 2));
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

  /** Every call is completed when this returns. */
  @Override
  public void close() {
    desk.close();
    watchdog.close();
    topology.close();
    dialer.close();
    desk.drainClosed();
  }
}
