package io.belfry.server.access;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records submissions by job or by handler in the audit log: the first of each caller and job per time window as an entry, the others as a count at
 * its end. There may be thousands per second, and each task stores its submitter: the log shows who submitted what from where, the tasks show
 * which.
 *
 * <pre>
 *   submitted ──▶ first of its caller, job and address in this {@link #SPAN}? ──yes──▶ an entry
 *                            └──no──▶ counted ──end of the window──▶ one entry for each of them
 * </pre>
 *
 * <p>Threading: safe; nothing is written under the lock.
 */
public final class SubmitAudit {
  private static final Logger LOG = LoggerFactory.getLogger(SubmitAudit.class);

  public static final Duration SPAN = Duration.ofMinutes(10);

  /** Jobs and addresses of one caller with separate entries per time window, in all namespaces; further ones share one count. */
  public static final int OF_CALLER_MAX = 100;

  /** Callers, jobs and addresses with separate entries in a namespace. */
  public static final int OF_NAMESPACE_MAX = 1000;

  /** Separate entries in all namespaces; beyond it each namespace still has its {@link #SHARE}. */
  public static final int ALL_MAX = 5000;

  /** Guaranteed separate entries of each namespace. */
  public static final int SHARE = 20;

  /** A source with separate entries. */
  private record Source(String namespace, String who, String from, String what) {}

  private static final String SEVERAL = "several";
  private static final String SEVERAL_ADDRESSES = "several addresses";
  private static final String SEVERAL_JOBS = "several jobs and handlers";

  /** A caller that has a separate entry in a namespace. */
  private record Caller(String namespace, String who) {}

  /** The submissions of one source in the time window. */
  private static final class Tally {
    private long counted;
    private final Audit.Entry first;
    /** The callers, if the entry does not name them. */
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
  private final Set<Caller> callers = new HashSet<>();
  private final AuditQuota quota =
      new AuditQuota(new AuditQuota.Limits(OF_CALLER_MAX, OF_NAMESPACE_MAX, ALL_MAX, SHARE));
  private @Nullable Instant since;
  private long ends;

  /**
   * Creates the recorder of this node.
   *
   * @param later runs a step after a delay, on a thread that may block on the store
   */
  public SubmitAudit(Audit audit, Time time, BiConsumer<Duration, Runnable> later) {
    this.audit = audit;
    this.time = time;
    this.later = later;
  }

  /**
   * Writes an entry, or counts the submission.
   *
   * @param token id of the caller's token
   * @param what job or handler, such as {@code job nightly}
   * @param tasks number of submitted tasks
   * @param entry the entry to write, without its target
   */
  public void record(String namespace, String token, String what, int tasks, Audit.Entry entry) {
    List<Line> lines;
    boolean begins;
    lock.lock();
    try {
      lines = isOver() ? close() : new ArrayList<>();
      begins = since == null;
      if (begins) {
        since = entry.at();
        ends = time.nanos() + SPAN.toNanos();
      }
      if (isFirst(namespace, token, what, tasks, entry)) {
        lines.add(new Line(namespace, about(entry, entry.at(), count(tasks) + " by " + what)));
      }
    } finally {
      lock.unlock();
    }
    if (begins) {
      later.accept(SPAN, this::settle);
    }
    lines.forEach(this::write);
  }

  /** Whether the submission is the first of its source and gets an entry; otherwise it is counted. */
  private boolean isFirst(
      String namespace, String token, String what, int tasks, Audit.Entry entry) {
    var source = new Source(namespace, entry.who(), entry.from(), what);
    Tally known = tallies.get(source);
    if (known != null) {
      known.counted += tasks;
      return false;
    }
    var caller = new Caller(namespace, entry.who());
    if (quota.take(token, namespace)) {
      tallies.put(source, new Tally(entry));
      callers.add(caller);
      return true;
    }
    boolean named = callers.contains(caller);
    String who = named ? entry.who() : SEVERAL;
    Tally sum = tallies.computeIfAbsent(
        new Source(namespace, who, SEVERAL_ADDRESSES, SEVERAL_JOBS), unused -> new Tally(entry));
    sum.counted += tasks;
    if (!named) {
      sum.names.add(token);
    }
    return false;
  }

  private static String count(long tasks) {
    return tasks == 1 ? "1 task" : tasks + " tasks";
  }

  private boolean isOver() {
    return since != null && time.nanos() - ends >= 0;
  }

  /** Writes the counts when the time window is over. */
  private void settle() {
    List<Line> lines;
    lock.lock();
    try {
      lines = isOver() ? close() : List.of();
    } finally {
      lock.unlock();
    }
    lines.forEach(this::write);
  }

  /** Ends the time window; returns the entries with counts, dated at its end. */
  private List<Line> close() {
    var lines = new ArrayList<Line>();
    Instant now = time.wall();
    Instant begun = since == null ? now : since;
    Instant end = begun.plus(SPAN).isBefore(now) ? begun.plus(SPAN) : now;
    tallies.forEach((source, tally) -> {
      if (tally.counted > 0) {
        String names = source.who.equals(SEVERAL) ? ", with the tokens " + tally.names : "";
        String target =
            count(tally.counted) + " more by " + source.what + " since " + begun + names;
        lines.add(new Line(source.namespace, about(signed(source, tally), end, target)));
      }
    });
    tallies = new LinkedHashMap<>();
    callers.clear();
    quota.clear();
    since = null;
    return lines;
  }

  private static Audit.Entry signed(Source source, Tally tally) {
    Audit.Entry first = tally.first;
    return new Audit.Entry(
        first.at(),
        source.who,
        source.who.equals(SEVERAL) ? "" : first.role(),
        first.action(),
        first.target(),
        source.from,
        first.node(),
        first.outcome());
  }

  private static Audit.Entry about(Audit.Entry entry, Instant at, String target) {
    return new Audit.Entry(
        at,
        entry.who(),
        entry.role(),
        entry.action(),
        target,
        entry.from(),
        entry.node(),
        entry.outcome());
  }

  private void write(Line line) {
    try {
      audit.write(line.namespace, line.entry);
    } catch (RuntimeException e) {
      LOG.warn("A submission could not be written to the audit log: {}", line.entry, e);
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
      LOG.warn("Counts of submissions could not be written to the audit log: {}", lines, e);
    }
  }
}
