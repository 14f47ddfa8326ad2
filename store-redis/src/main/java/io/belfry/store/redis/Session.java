package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.belfry.store.StoreException;
import io.belfry.store.redis.Desk.Flight;
import io.belfry.store.redis.Desk.Remedy;
import io.belfry.store.redis.Desk.Work;
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
  private final Desk desk;
  private final Link link;
  private final byte[] acknowledgeMillis;
  private volatile String end = "the connection was closed";

  Session(Wire wire, Envelope envelope, Desk desk, Link link, RedisSettings settings) {
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

  /** Serves calls until the connection breaks, another must be found, or the link is closed. */
  void serve(Crew crew) {
    Thread reader = crew.start("reader", this::read);
    try {
      write();
    } catch (JedisException e) {
      end = String.valueOf(e.getMessage());
    } finally {
      desk.broke();
      wire.cut();
      crew.join(reader);
      desk.endSession(end);
    }
  }

  private void write() {
    while (true) {
      switch (desk.next(link.untilTick())) {
        case Work.Send send -> send(send.calls());
        case Work.Mend mend -> {
          if (mend.remedy() == Remedy.RECONNECT) {
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

  private void send(List<Call<?>> calls) {
    Known known = link.known();
    boolean acknowledged = false;
    for (Call<?> call : calls) {
      if (call.outlived(known)) {
        call.fail(outlived());
        continue;
      }
      desk.takesOff(new Flight.Asked(call, known));
      envelope.write(wire, call, known);
      acknowledged |= call.wantsAcknowledgement();
    }
    if (acknowledged && known.acknowledgements() > 0) {
      desk.takesOff(new Flight.Acknowledgements(known.acknowledgements()));
      wire.write(
          Command.WAIT, List.of(Bytes.ascii("" + known.acknowledgements()), acknowledgeMillis));
    }
    wire.push();
  }

  private void read() {
    try {
      for (var flight = desk.nextAway(); flight.isPresent(); flight = desk.nextAway()) {
        Object reply = wire.read();
        switch (flight.get()) {
          case Flight.Asked asked -> answer(asked.call(), asked.sent(), reply);
          case Flight.Acknowledgements due -> acknowledge(due.wanted(), reply);
        }
        desk.landed();
      }
    } catch (RuntimeException e) {
      // Broken, or an answer that makes no sense: either way nothing that follows can be trusted.
      end = String.valueOf(e.getMessage());
      desk.broke();
      wire.cut();
    }
  }

  private void answer(Call<?> call, Known sent, Object reply) {
    if (reply instanceof JedisDataException error) {
      refuse(call, Refusal.of(error));
      return;
    }
    List<?> parts = (List<?>) reply;
    switch (new String((byte[]) parts.getFirst(), US_ASCII)) {
      case "E" -> {
        link.adopt(Known.parse(Bytes.ascii(parts.get(1))));
        if (call.outlived(link.known())) {
          call.fail(outlived());
        } else {
          call.refused("the epoch changes too often");
          desk.askAgain(call, Remedy.AGAIN);
        }
      }
      case "M" -> {
        call.refused("its slot is moving to another node of the cluster");
        desk.askAgain(call, Remedy.RECONNECT);
      }
      default -> {
        if (call.wantsAcknowledgement() && sent.acknowledgements() > 0) {
          desk.holdUntilAcknowledged(call, parts);
        } else {
          call.complete(parts);
        }
      }
    }
  }

  private void refuse(Call<?> call, Refusal refusal) {
    switch (refusal) {
      case Refusal.Reload reload -> {
        call.refused("the scripts vanish again and again");
        desk.askAgain(call, Remedy.RELOAD);
      }
      case Refusal.Elsewhere elsewhere -> {
        call.refused(elsewhere.why());
        desk.askAgain(call, Remedy.RECONNECT);
      }
      case Refusal.Final last -> call.fail(last.cause());
    }
  }

  private void acknowledge(int wanted, Object reply) {
    long had = reply instanceof Long count ? count : 0;
    if (had >= wanted) {
      desk.acknowledged();
    } else {
      desk.notAcknowledged("only " + had + " of " + wanted + " replicas acknowledged it in time");
    }
  }

  private static StoreException outlived() {
    return new StoreException.Unavailable(
        "Redis has begun another epoch, in which this makes no sense any more.", null);
  }
}
