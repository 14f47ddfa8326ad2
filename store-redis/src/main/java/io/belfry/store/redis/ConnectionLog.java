package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what happens to the connection: that it was lost or refused and why, that it is still so, that it is back and after
 * how long. The same line at most once a minute.
 *
 * <p>Threading: confined to the link's thread, but for {@code epochBegan}, which keeps nothing.
 */
final class ConnectionLog {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

  private final Time time;
  private final String namespace;
  private final LogLimiter said;
  private boolean connectedOnce;
  private boolean out;
  private boolean outSaid;
  private long outSince;
  private int attempts;

  ConnectionLog(Time time, String namespace) {
    this.time = time;
    this.namespace = namespace;
    this.said = LogLimiter.everyMinute(time);
  }

  /** A connection that worked has ended. */
  void lost(Object at, String why) {
    begin();
    outSaid |= said.log(
        "lost: " + why,
        more -> LOG.warn(
            "Redis (namespace {}): the connection to {} was lost: {}{}. Commits in flight have an unknown outcome; other calls"
                + " wait for a new connection until their deadline.",
            namespace,
            at,
            why,
            more));
  }

  /** An attempt to connect has failed. Before the first success the caller of connect is told instead. */
  void failed(StoreException why) {
    attempts++;
    if (!connectedOnce) {
      LOG.debug("Redis (namespace {}): no connection yet: {}", namespace, why.getMessage());
      return;
    }
    begin();
    String message = String.valueOf(why.getMessage());
    if (why instanceof StoreException.Unavailable) {
      outSaid |= said.log(
          message,
          more -> LOG.warn(
              "Redis (namespace {}): no connection: {}{} It is tried again at least every second; calls fail at their deadline"
                  + " until then.",
              namespace,
              message,
              more));
    } else {
      outSaid |= said.log(
          message,
          more -> LOG.warn(
              "Redis (namespace {}): the connection was refused: {}{} It is tried again at least every second; calls fail with"
                  + " this reason until it is lifted.",
              namespace,
              message,
              more));
    }
  }

  /**
   * Another epoch has begun, perhaps with a data set that lacks steps.
   *
   * @param beganAt the data set's counter of steps then
   * @param seen the last step that this client knows of
   */
  void epochBegan(long before, long now, OptionalLong beganAt, long seen) {
    long lost = beganAt.isPresent() ? Math.max(0, seen - beganAt.getAsLong()) : 0;
    if (lost == 0) {
      LOG.info(
          "Redis (namespace {}): epoch {} has begun (it was {}): a failover, a restart or a restore. No step that this node"
              + " knows of was lost. Watches scan again, the leader wins a new term.",
          namespace,
          now,
          before);
    } else if (beganAt.getAsLong() == 0) {
      LOG.warn(
          "Redis (namespace {}): epoch {} has begun (it was {}) with an EMPTY data set: all {} steps that this node knows of are"
              + " gone (FLUSHALL, a server started without its files, or another server behind the same address). Jobs, tasks"
              + " and history are gone with them. Restore the data, or create the jobs again: this node goes on by itself in"
              + " either case.",
          namespace,
          now,
          before,
          lost);
    } else {
      LOG.warn(
          "Redis (namespace {}): epoch {} has begun (it was {}) with a data set that WENT BACK: it lacks the last {} steps that"
              + " this node knows of (a restore, or a failover or restart without all acknowledged steps). What was submitted"
              + " in them is gone, and jobs fire from their stored cursors, which may repeat fires.",
          namespace,
          now,
          before,
          lost);
    }
  }

  /** Warns when no replica may be missing. */
  void replicas(int acknowledgements, int connected) {
    if (Audit.hasNoSpare(acknowledgements, connected)) {
      said.log(
          "no spare",
          more -> LOG.warn(
              "Redis (namespace {}): {} of {} replicas must acknowledge every commit, so that commits stop for as long as any of"
                  + " the servers is down, also after a failover{}. Run one replica more, or set acknowledgements 0: then a"
                  + " failover may lose the last steps.",
              namespace,
              acknowledgements,
              connected,
              more));
    }
  }

  private void begin() {
    if (!out) {
      out = true;
      outSaid = false;
      outSince = time.nanos();
      attempts = 0;
    }
  }

  void connected(Object at) {
    if (out && outSaid) {
      LOG.info(
          "Redis (namespace {}): the connection was restored, to {}, after {} ms and {} failed attempts. Watches and"
              + " leases go on.",
          namespace,
          at,
          Duration.ofNanos(time.nanos() - outSince).toMillis(),
          attempts);
    }
    out = false;
    connectedOnce = true;
  }
}
