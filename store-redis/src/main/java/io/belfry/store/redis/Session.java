package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.belfry.store.redis.CallQueue.Remedy;
import io.belfry.store.redis.CallQueue.Work;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to a primary, from greeting to end. Calls are written as they come, several before the first answer;
 * behind each batch goes one WAIT, on the same connection, because only there it says something about them.
 *
 * <pre>
 *   writer:  EVALSHA EVALSHA WAIT · EVALSHA WAIT ·  ...
 *   reader:                 answer answer count  ·  ...
 * </pre>
 *
 * <p>Threading: written by the link's thread, read by one of its own.
 */
final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Wire wire;
  private final Envelope envelope;
  private final CallQueue desk;
  private final Link link;
  private final byte[] acknowledgeMillis;
  private volatile String end = "the connection was closed";
  private boolean ended;
  private boolean refused;

  Session(Wire wire, Envelope envelope, CallQueue desk, Link link, RedisSettings settings) {
    this.wire = wire;
    this.envelope = envelope;
    this.desk = desk;
    this.link = link;
    this.acknowledgeMillis = Bytes.ascii("" + settings.timeouts().acknowledge().toMillis());
  }

  /** Scripts are gone after a failover, a restart or SCRIPT FLUSH. */
  static void loadScripts(Wire wire) {
    for (Scripts each : Scripts.values()) {
      wire.write(Command.SCRIPT, List.of(Bytes.ascii("LOAD"), each.text()));
    }
    wire.push();
    for (Scripts each : Scripts.values()) {
      if (wire.read() instanceof JedisDataException refused) {
        throw refused;
      }
      LOG.trace("Loaded {}.", each);
    }
  }

  /** Serves calls until the connection breaks, another must be found, or the link is closed. Why it ended. */
  String serve(StoreThreads crew) {
    Thread reader = crew.start("reader", this::read);
    try {
      write();
    } catch (RuntimeException | Error e) {
      // Broken, or a mistake of ours: in either case the link starts over with another connection.
      over(e);
    } finally {
      desk.broke();
      wire.cut();
      crew.join(reader);
      desk.endSession(end);
    }
    return end;
  }

  /** Whether it ended because the server, or its replicas, did not take a call. By the thread that served. */
  boolean wasRefused() {
    return refused;
  }

  /** The first reason counts: what follows is only that the connection is closed. */
  private void over(Throwable why) {
    synchronized (this) {
      if (!ended) {
        ended = true;
        end = String.valueOf(why.getMessage());
      }
    }
    if (!(why instanceof JedisException)) {
      LOG.error("Redis: the connection is given up after an unexpected error.", why);
    }
  }

  private void write() {
    while (true) {
      switch (desk.next(link.untilTick(), link::known)) {
        case Work.Send send -> send(send);
        case Work.Mend mend -> {
          if (mend.remedy() == Remedy.RECONNECT) {
            end = mend.why();
            refused = true;
            return;
          }
          if (mend.remedy() == Remedy.RELOAD) {
            loadScripts(wire);
          }
        }
        case Work.Nothing nothing -> LOG.trace("Nothing to send.");
        case Work.Stop stop -> {
          return;
        }
      }
    }
  }

  private void send(Work.Send send) {
    for (PendingAnswer.Asked flight : send.flights()) {
      List<byte[]> command;
      try {
        command = envelope.command(flight.call(), flight.sent());
      } catch (RuntimeException e) {
        desk.withdraw(flight, e);
        continue;
      }
      if (desk.begins(flight)) {
        wire.write(Command.EVALSHA, command);
      }
    }
    if (send.acknowledgements() > 0) {
      wire.write(
          Command.WAIT, List.of(Bytes.ascii("" + send.acknowledgements()), acknowledgeMillis));
    }
    wire.push();
  }

  private void read() {
    try {
      while (desk.awaitAway()) {
        Object reply = wire.read();
        switch (desk.due()) {
          case PendingAnswer.Asked asked -> desk.land(asked, judge(asked, reply));
          case PendingAnswer.Acknowledgements due -> acknowledge(due, reply);
        }
      }
    } catch (RuntimeException | Error e) {
      // Broken, or an answer that makes no sense: either way nothing that follows can be trusted.
      over(e);
    } finally {
      desk.broke();
      wire.cut();
    }
  }

  private Verdict judge(PendingAnswer.Asked asked, Object reply) {
    Call<?> call = asked.call();
    if (reply instanceof JedisDataException error) {
      return judge(Refusal.of(error));
    }
    List<?> parts = (List<?>) reply;
    return switch (new String((byte[]) parts.getFirst(), US_ASCII)) {
      case "E" -> {
        desk.refusing(Remedy.AGAIN, "another epoch");
        link.adopt(DataSetLife.Told.parse(parts));
        yield call.outlived(link.known())
            ? new Verdict.Fail(Call.outlived())
            : new Verdict.Again("the epoch changes too often", Remedy.AGAIN);
      }
      case "M" ->
        new Verdict.Again("its slot is moving to another node of the cluster", Remedy.RECONNECT);
      default ->
        call.wantsAcknowledgement() && asked.sent().acknowledgements() > 0
            ? new Verdict.Hold(parts)
            : new Verdict.Complete(parts);
    };
  }

  private static Verdict judge(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Reload reload ->
        new Verdict.Again("the scripts vanish again and again", Remedy.RELOAD);
      case Refusal.Elsewhere elsewhere -> new Verdict.Again(elsewhere.why(), Remedy.RECONNECT);
      case Refusal.NotPermitted denied -> new Verdict.Denied(denied.cause(), denied.midway());
      case Refusal.Final last -> new Verdict.Fail(last.cause());
    };
  }

  private void acknowledge(PendingAnswer.Acknowledgements due, Object reply) {
    long had = reply instanceof Long count ? count : 0;
    desk.landAcknowledgements(
        due,
        had >= due.wanted(),
        "only " + had + " of " + due.wanted() + " replicas acknowledged it in time");
  }
}
