package io.belfry.server.access;

import io.belfry.model.Durations;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts that were refused, in the audit log: the first ones of each caller one by one, the others as a number, so that nobody can fill
 * the log with them.
 *
 * <pre>
 *   refused ──▶ within {@link #OF_ONE_MAX} of its caller and {@link #ALL_MAX} of its kind? ──yes──▶ an entry
 *                                                      └──no──▶ counted ──end of the {@link #SPAN}──▶ one entry for each caller
 * </pre>
 *
 * <p>Threading: safe; nothing is written under the lock.
 */
public final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /** Entries of one caller in a span. */
  public static final int OF_ONE_MAX = 10;

  /** Entries of all callers of a kind in a span. */
  public static final int ALL_MAX = 50;

  public static final Duration SPAN = Duration.ofMinutes(10);

  /** The action of the entries that hold numbers. */
  public static final String ACTION = "refusals";

  /** Apart from each other, so that strangers cannot hide what those with a token try. */
  public enum Kind {
    /** Told apart by their addresses. */
    STRANGER,
    /** Told apart by their tokens. */
    KNOWN
  }

  private record Caller(Kind kind, String namespace, String who) {}

  /** What was seen of one caller. */
  private static final class Tally {
    private int written;
    private long counted;
    private final Audit.Entry first;

    Tally(Audit.Entry first) {
      this.first = first;
    }
  }

  private record Line(String namespace, Audit.Entry entry) {}

  private final Audit audit;
  private final Time time;
  private final BiConsumer<Duration, Runnable> later;
  private final ReentrantLock lock = new ReentrantLock();
  private Map<Caller, Tally> tallies = new LinkedHashMap<>();
  private final Map<Kind, Integer> written = new EnumMap<>(Kind.class);
  private final Map<Kind, Tally> others = new EnumMap<>(Kind.class);
  private @Nullable Instant since;
  private long ends;
  private boolean awaited;

  /**
   * Refusals of this node.
   *
   * @param later runs something once so much time has passed, where it may wait for the store
   */
  public Refusals(Audit audit, Time time, BiConsumer<Duration, Runnable> later) {
    this.audit = audit;
    this.time = time;
    this.later = later;
  }

  /**
   * Writes it down, or counts it.
   *
   * @param who the id of its token, or the address of a stranger
   */
  public void note(Kind kind, String namespace, String who, Audit.Entry entry) {
    List<Line> lines;
    lock.lock();
    try {
      lines = over();
      if (take(new Caller(kind, namespace, who), entry)) {
        lines.add(new Line(namespace, entry));
      }
    } finally {
      lock.unlock();
    }
    lines.forEach(this::write);
  }

  /** Whether it is to be written by itself. */
  private boolean take(Caller caller, Audit.Entry entry) {
    if (since == null) {
      since = entry.at();
      ends = time.nanos() + SPAN.toNanos();
    }
    int all = written.getOrDefault(caller.kind, 0);
    @Nullable Tally tally = tallies.get(caller);
    if (tally == null && all < ALL_MAX) {
      tally = new Tally(entry);
      tallies.put(caller, tally);
    }
    if (tally != null && tally.written < OF_ONE_MAX && all < ALL_MAX) {
      tally.written++;
      written.merge(caller.kind, 1, Integer::sum);
      return true;
    }
    count(tally == null ? others.computeIfAbsent(caller.kind, kind -> new Tally(entry)) : tally);
    return false;
  }

  private void count(Tally tally) {
    tally.counted++;
    if (!awaited) {
      awaited = true;
      LOG.warn(
          "Many requests are refused, such as {} from {}: more of them are only counted for up to {}. The audit log will have the number.",
          tally.first.action(),
          tally.first.from(),
          Durations.show(SPAN));
      later.accept(Duration.ofNanos(Math.max(0, ends - time.nanos())), this::settle);
    }
  }

  /** Writes the numbers of a span that is over. */
  private void settle() {
    List<Line> lines;
    lock.lock();
    try {
      lines = over();
    } finally {
      lock.unlock();
    }
    lines.forEach(this::write);
  }

  private List<Line> over() {
    return since != null && time.nanos() - ends >= 0 ? close() : new ArrayList<>();
  }

  /** Ends the span: what was only counted in it. */
  private List<Line> close() {
    var lines = new ArrayList<Line>();
    Instant begun = since == null ? time.wall() : since;
    tallies.forEach((caller, tally) -> {
      if (tally.counted > 0) {
        String who = tally.first.who();
        lines.add(new Line(caller.namespace, sum(tally, begun, who, tally.first.from())));
      }
    });
    others.forEach((kind, tally) -> lines.add(new Line(
        Audit.EVERYWHERE, sum(tally, begun, "several, " + word(kind), "several addresses"))));
    tallies = new LinkedHashMap<>();
    others.clear();
    written.clear();
    since = null;
    awaited = false;
    return lines;
  }

  private static String word(Kind kind) {
    return kind == Kind.KNOWN ? "with tokens" : "without a good token";
  }

  /** As of the end of the span, so that it stands before what comes after it. */
  private Audit.Entry sum(Tally tally, Instant begun, String who, String from) {
    Instant now = time.wall();
    Instant end = begun.plus(SPAN);
    return new Audit.Entry(
        end.isBefore(now) ? end : now,
        who,
        tally.first.role(),
        ACTION,
        tally.counted + " more since " + begun + ", not written down one by one",
        from,
        tally.first.node(),
        tally.first.outcome());
  }

  private void write(Line line) {
    try {
      audit.write(line.namespace, line.entry);
    } catch (RuntimeException e) {
      LOG.warn("This refusal could not be written into the audit log: {}", line.entry, e);
    }
  }

  /** Writes what was only counted so far, as long as the store answers. */
  public void stop() {
    List<Line> lines;
    lock.lock();
    try {
      lines = close();
    } finally {
      lock.unlock();
    }
    try {
      lines.forEach(line -> audit.write(line.namespace, line.entry));
    } catch (RuntimeException e) {
      LOG.warn("Counted refusals could not be written into the audit log: {}", lines, e);
    }
  }
}
