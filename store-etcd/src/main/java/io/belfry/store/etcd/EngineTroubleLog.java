package io.belfry.store.etcd;

import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import io.belfry.store.etcd.proto.TxnRequest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when etcd is lost, refuses requests or is full, and when that is over.
 *
 * <pre>
 *   failed ──▶ WARN, cause and consequence ──▶ the same again: at most one WARN a minute, with the count
 *                                          └─▶ a request served, no failure for a second: INFO, how long it lasted
 * </pre>
 *
 * A connection that comes and goes is logged no more often than one that is lost for long: an end is logged only if its beginning was.
 *
 * A refused or full write is over only when a write is served: reads may be permitted while writes are not.
 *
 * <p>Threading: safe. Costs one volatile read per answer while nothing is wrong.
 */
final class EngineTroubleLog {
  /** What can be wrong, as an operator sees it. */
  enum Kind {
    LOST("It goes on with the next member that answers."),
    REFUSED("Nothing is read or written until etcd permits it; requests are tried again."),
    FULL("Writes fail until there is room; deletes and reads go on."),
    OVERLOADED("Requests are tried again later."),
    DAMAGED("Nothing is written until the member is replaced or a backup is restored.");

    private final String consequence;

    Kind(String consequence) {
      this.consequence = consequence;
    }
  }

  private static final class Trouble {
    final long since;
    long lastFailure;
    boolean write;
    boolean served;
    long servedAt;
    long failures;
    boolean logged;

    Trouble(long now) {
      since = now;
    }

    void served(long now) {
      if (!served) {
        served = true;
        servedAt = now;
      }
    }
  }

  private static final Logger log = LoggerFactory.getLogger(EngineTroubleLog.class);
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final String what;
  private final String whenLost;
  private final Time time;
  private final LogLimiter limiter;
  private final Map<Kind, Trouble> present = new EnumMap<>(Kind.class);
  private volatile boolean any;

  /**
   * @param what part of the adapter, first word of each line
   * @param whenLost what a lost connection means for that part
   * @param limiter of all parts of the adapter
   */
  EngineTroubleLog(String what, String whenLost, Time time, LogLimiter limiter) {
    this.what = what;
    this.whenLost = whenLost;
    this.time = time;
    this.limiter = limiter;
  }

  /** {@code request} failed; it may be null where there was none. */
  void failed(Failure failure, @Nullable Object request) {
    if (failure.isAuthenticationOff()) {
      return; // Calls warns of it in its own words
    }
    switch (failure.kind()) {
      case NOT_SENT -> failed(failure.isTls() ? Kind.REFUSED : Kind.LOST, failure, request);
      case UNKNOWN -> failed(Kind.LOST, failure, request);
      case UNAUTHENTICATED, DENIED, TOO_LARGE -> failed(Kind.REFUSED, failure, request);
      case FULL -> failed(Kind.FULL, failure, request);
      case OVERLOADED -> failed(Kind.OVERLOADED, failure, request);
      case DAMAGED -> failed(Kind.DAMAGED, failure, request);
      case LEASE_ENDED, ANSWER_TOO_LARGE, COMPACTED -> {
        // etcd serves: the caller deals with the answer
      }
    }
  }

  private synchronized void failed(Kind kind, Failure failure, @Nullable Object request) {
    long now = time.nanos();
    Trouble trouble = present.computeIfAbsent(kind, k -> new Trouble(now));
    any = true;
    trouble.failures++;
    trouble.lastFailure = now;
    trouble.served = false;
    trouble.write |= kind == Kind.FULL || puts(request);
    trouble.logged |= limiter.log(
        what + " " + kind,
        more -> log.warn("{}: {} {}{}", what, failure.words(), consequence(kind), more));
  }

  private String consequence(Kind kind) {
    return kind == Kind.LOST ? kind.consequence + " " + whenLost : kind.consequence;
  }

  /** etcd carried out {@code request}. */
  void served(Object request) {
    if (any) {
      served(puts(request));
    }
  }

  /** A member answered a question that needs no permission. */
  synchronized void answered() {
    Trouble lost = present.get(Kind.LOST);
    if (lost != null) {
      lost.served(time.nanos());
    }
  }

  private synchronized void served(boolean write) {
    long now = time.nanos();
    present.forEach((kind, trouble) -> {
      if (write || kind == Kind.LOST || !trouble.write) {
        trouble.served(now);
      }
    });
  }

  /** Called now and then: ends what is over. */
  void look() {
    if (any) {
      endWhatIsOver();
    }
  }

  private synchronized void endWhatIsOver() {
    long now = time.nanos();
    present.entrySet().removeIf(each -> {
      Trouble trouble = each.getValue();
      boolean over = trouble.served && now - trouble.lastFailure >= QUIET.toNanos();
      if (over && trouble.logged) {
        log.info(
            "{}: etcd serves again, after {} s and {} failed requests ({}).",
            what,
            seconds(trouble.servedAt - trouble.since),
            trouble.failures,
            each.getKey());
      }
      return over;
    });
    any = !present.isEmpty();
  }

  /** Whether {@code request} is a transaction that puts something; batches put their last operation. */
  private static boolean puts(@Nullable Object request) {
    return request instanceof TxnRequest txn
        && txn.getSuccessCount() > 0
        && txn.getSuccess(txn.getSuccessCount() - 1).hasRequestPut();
  }

  private static String seconds(long nanos) {
    return "%.1f".formatted(nanos / 1e9);
  }
}
