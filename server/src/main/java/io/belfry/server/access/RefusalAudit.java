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
 * Records refused requests in the audit log: the first ones of each caller as single entries, the others as a count, so that no caller can flood
 * the log or hide the attempts of others.
 *
 * <pre>
 *   refused ──▶ quota left for its caller ({@link #OF_ONE_MAX}) and its namespace ({@link #OF_NAMESPACE_MAX})? ──yes──▶ an entry
 *                                            └──no──▶ counted ──end of the {@link #SPAN}──▶ one entry for each caller with entries, and one for the
 *                                                                                            other callers of the namespace, with their names
 * </pre>
 *
 * <p>A token uses the quota of its own namespace, whichever namespace it requests: otherwise the tokens of one namespace could use up the quota of
 * another.
 *
 * <p>Threading: safe; nothing is written under the lock.
 */
public final class RefusalAudit {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalAudit.class);

  /** Entries of one caller per time window, in all namespaces together. */
  public static final int OF_ONE_MAX = 10;

  /** Entries per time window of the tokens of a namespace, and of the unauthenticated callers that request it. */
  public static final int OF_NAMESPACE_MAX = 50;

  /** Entries per time window of all callers of a kind; beyond it each namespace still has its {@link #SHARE}. */
  public static final int ALL_MAX = 500;

  /** Guaranteed entries of each namespace per time window. */
  public static final int SHARE = 10;

  /** Length of the time window. */
  public static final Duration SPAN = Duration.ofMinutes(10);

  /** The action of entries that contain a count. */
  public static final String ACTION = "refusals";

  /** Kinds of callers, with separate quotas, so that unauthenticated callers cannot hide the attempts of those with a token. */
  public enum Kind {
    /** Unauthenticated, identified by the client address. */
    STRANGER,
    /** Authenticated, identified by the token. */
    KNOWN
  }

  /**
   * A refused caller.
   *
   * @param home scope whose quota it uses: that of its token's namespace; without a token, that of the requested namespace
   * @param who id of its token, or client address
   */
  public record Caller(Kind kind, String home, String who) {
    /** An authenticated caller. */
    public static Caller of(Principal principal) {
      return new Caller(Kind.KNOWN, principal.scope().orElse(Audit.EVERYWHERE), principal.id());
    }

    /** An unauthenticated caller. */
    public static Caller stranger(String namespace, String address) {
      return new Caller(Kind.STRANGER, namespace, address);
    }
  }

  /** A caller in the log of one namespace. */
  private record Source(Kind kind, String namespace, String who) {}

  /** All callers without an entry of their own in one log; tokens of other namespaces are counted separately, so that they hide nothing. */
  private record Others(Kind kind, String namespace, boolean foreign) {}

  /** The refusals of one caller, or of the others. */
  private static final class Summary {
    private long counted;
    private final Audit.Entry first;
    private final NameSample names = new NameSample();

    Summary(Audit.Entry first) {
      this.first = first;
    }
  }

  private record Line(String namespace, Audit.Entry entry) {}

  private final Audit audit;
  private final Time time;
  private final BiConsumer<Duration, Runnable> later;
  private final ReentrantLock lock = new ReentrantLock();
  private Map<Source, Summary> summaries = new LinkedHashMap<>();
  private Map<Others, Summary> others = new LinkedHashMap<>();
  private final Map<Kind, AuditQuota> quotas = new EnumMap<>(Kind.class);
  private @Nullable Instant since;
  private long ends;
  private boolean awaited;

  /**
   * Creates the recorder of this node.
   *
   * @param later runs a step after a delay, on a thread that may block on the store
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
   * Writes an entry, or counts the refusal.
   *
   * @param namespace scope of the audit log
   */
  public void record(Caller caller, String namespace, Audit.Entry entry) {
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

  /** Whether the refusal gets its own entry; otherwise it is counted. */
  private boolean take(Caller caller, String namespace, Audit.Entry entry) {
    if (since == null) {
      since = entry.at();
      ends = time.nanos() + SPAN.toNanos();
    }
    var source = new Source(caller.kind, namespace, caller.who);
    if (requireNonNull(quotas.get(caller.kind)).take(caller.who, caller.home)) {
      summaries.computeIfAbsent(source, unused -> new Summary(entry));
      return true;
    }
    @Nullable Summary own = summaries.get(source);
    count(own == null ? others(caller, namespace, entry) : own);
    return false;
  }

  private Summary others(Caller caller, String namespace, Audit.Entry entry) {
    var key = new Others(caller.kind, namespace, !caller.home.equals(namespace));
    Summary summary = others.computeIfAbsent(key, unused -> new Summary(entry));
    summary.names.add(caller.who);
    return summary;
  }

  private void count(Summary summary) {
    summary.counted++;
    if (!awaited) {
      awaited = true;
      LOG.warn(
          "Many requests are refused, such as {} from {}. Further ones are only counted for up to {}; the audit log will contain the count.",
          summary.first.action(),
          summary.first.from(),
          Durations.show(SPAN));
      later.accept(Duration.ofNanos(Math.max(0, ends - time.nanos())), this::settle);
    }
  }

  /** Writes the counts when the time window is over. */
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

  /** Ends the time window; returns the entries with counts. */
  private List<Line> close() {
    var lines = new ArrayList<Line>();
    Instant begun = since == null ? time.wall() : since;
    summaries.forEach((source, summary) -> {
      if (summary.counted > 0) {
        String who = summary.first.who();
        lines.add(new Line(source.namespace, sum(summary, begun, who, summary.first.from(), "")));
      }
    });
    others.forEach((key, summary) -> {
      boolean known = key.kind == Kind.KNOWN;
      String who = known ? "several, with tokens" : "several, without a valid token";
      String names = (known ? ", with the tokens " : ", from ") + summary.names;
      lines.add(new Line(key.namespace, sum(summary, begun, who, "several addresses", names)));
    });
    summaries = new LinkedHashMap<>();
    others = new LinkedHashMap<>();
    quotas.values().forEach(AuditQuota::clear);
    since = null;
    awaited = false;
    return lines;
  }

  /** An entry with a count, dated at the end of the time window, so that it sorts before later entries. */
  private Audit.Entry sum(Summary summary, Instant begun, String who, String from, String names) {
    Instant now = time.wall();
    Instant end = begun.plus(SPAN);
    return new Audit.Entry(
        end.isBefore(now) ? end : now,
        who,
        summary.first.role(),
        ACTION,
        summary.counted + " more since " + begun + ", without entries of their own" + names,
        from,
        summary.first.node(),
        summary.first.outcome());
  }

  private void write(Line line) {
    try {
      audit.write(line.namespace, line.entry);
    } catch (RuntimeException e) {
      LOG.warn("A refusal could not be written to the audit log: {}", line.entry, e);
    }
  }

  /** Writes the counts so far, if the store responds. */
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
      LOG.warn("Counts of refusals could not be written to the audit log: {}", lines, e);
    }
  }
}
