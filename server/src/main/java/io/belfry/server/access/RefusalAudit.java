package io.belfry.server.access;

import static java.util.Objects.requireNonNull;

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
 * the log with them, and nobody's noise hides what others try.
 *
 * <pre>
 *   refused ──▶ is there a place for its caller ({@link #OF_ONE_MAX}) and its namespace ({@link #OF_NAMESPACE_MAX})? ──yes──▶ an entry
 *                                            └──no──▶ counted ──end of the {@link #SPAN}──▶ one entry for each caller that has some, and one for the
 *                                                                                            others of the namespace, with their names
 * </pre>
 *
 * <p>A token takes the places of its own namespace, wherever it asks: otherwise the tokens of one namespace could use up those of another.
 *
 * <p>Threading: safe; nothing is written under the lock.
 */
public final class RefusalAudit {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalAudit.class);

  /** Entries of one caller in a span, in all namespaces together. */
  public static final int OF_ONE_MAX = 10;

  /** Entries in a span of the tokens of a namespace, and of the strangers who ask for it. */
  public static final int OF_NAMESPACE_MAX = 50;

  /** Entries of all callers of a kind in a span; beyond it each namespace still has its {@link #SHARE}. */
  public static final int ALL_MAX = 500;

  /** Entries that each namespace has in a span, whatever happens in others. */
  public static final int SHARE = 10;

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

  /**
   * Who was refused.
   *
   * @param home whose places it takes: the scope of its token's namespace; of a stranger, that of the namespace that it asked for
   * @param who the id of its token, or its address
   */
  public record Caller(Kind kind, String home, String who) {
    /** One with a token. */
    public static Caller of(Principal principal) {
      return new Caller(Kind.KNOWN, principal.scope().orElse(Audit.EVERYWHERE), principal.id());
    }

    public static Caller stranger(String namespace, String address) {
      return new Caller(Kind.STRANGER, namespace, address);
    }
  }

  /** A caller in one log. */
  private record Source(Kind kind, String namespace, String who) {}

  /** Those in one log that have no entry in it; tokens of the namespace apart from those of others, so that these do not hide them. */
  private record Rest(Kind kind, String namespace, boolean foreign) {}

  /** What was seen of one caller, or of the rest. */
  private static final class Tally {
    private long counted;
    private final Audit.Entry first;
    private final NameSample names = new NameSample();

    Tally(Audit.Entry first) {
      this.first = first;
    }
  }

  private record Line(String namespace, Audit.Entry entry) {}

  private final Audit audit;
  private final Time time;
  private final BiConsumer<Duration, Runnable> later;
  private final ReentrantLock lock = new ReentrantLock();
  private Map<Source, Tally> tallies = new LinkedHashMap<>();
  private Map<Rest, Tally> others = new LinkedHashMap<>();
  private final Map<Kind, AuditQuota> quotas = new EnumMap<>(Kind.class);
  private @Nullable Instant since;
  private long ends;
  private boolean awaited;

  /**
   * RefusalAudit of this node.
   *
   * @param later runs something once so much time has passed, where it may wait for the store
   */
  public RefusalAudit(Audit audit, Time time, BiConsumer<Duration, Runnable> later) {
    this.audit = audit;
    this.time = time;
    this.later = later;
    for (Kind kind : Kind.values()) {
      quotas.put(
          kind,
          new AuditQuota(new AuditQuota.Limits(OF_ONE_MAX, OF_NAMESPACE_MAX, ALL_MAX, SHARE)));
    }
  }

  /**
   * Writes it down, or counts it.
   *
   * @param namespace the scope of the log that it belongs to
   */
  public void note(Caller caller, String namespace, Audit.Entry entry) {
    List<Line> lines;
    lock.lock();
    try {
      lines = over();
      if (take(caller, namespace, entry)) {
        lines.add(new Line(namespace, entry));
      }
    } finally {
      lock.unlock();
    }
    lines.forEach(this::write);
  }

  /** Whether it is to be written by itself. */
  private boolean take(Caller caller, String namespace, Audit.Entry entry) {
    if (since == null) {
      since = entry.at();
      ends = time.nanos() + SPAN.toNanos();
    }
    var source = new Source(caller.kind, namespace, caller.who);
    if (requireNonNull(quotas.get(caller.kind)).take(caller.who, caller.home)) {
      tallies.computeIfAbsent(source, unused -> new Tally(entry));
      return true;
    }
    @Nullable Tally own = tallies.get(source);
    count(own == null ? rest(caller, namespace, entry) : own);
    return false;
  }

  private Tally rest(Caller caller, String namespace, Audit.Entry entry) {
    var rest = new Rest(caller.kind, namespace, !caller.home.equals(namespace));
    Tally tally = others.computeIfAbsent(rest, unused -> new Tally(entry));
    tally.names.add(caller.who);
    return tally;
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
    tallies.forEach((source, tally) -> {
      if (tally.counted > 0) {
        String who = tally.first.who();
        lines.add(new Line(source.namespace, sum(tally, begun, who, tally.first.from(), "")));
      }
    });
    others.forEach((rest, tally) -> {
      boolean known = rest.kind == Kind.KNOWN;
      String who = known ? "several, with tokens" : "several, without a good token";
      String names = (known ? ", of the tokens " : ", from ") + tally.names;
      lines.add(new Line(rest.namespace, sum(tally, begun, who, "several addresses", names)));
    });
    tallies = new LinkedHashMap<>();
    others = new LinkedHashMap<>();
    quotas.values().forEach(AuditQuota::clear);
    since = null;
    awaited = false;
    return lines;
  }

  /** As of the end of the span, so that it stands before what comes after it. */
  private Audit.Entry sum(Tally tally, Instant begun, String who, String from, String names) {
    Instant now = time.wall();
    Instant end = begun.plus(SPAN);
    return new Audit.Entry(
        end.isBefore(now) ? end : now,
        who,
        tally.first.role(),
        ACTION,
        tally.counted + " more since " + begun + ", not written down one by one" + names,
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
