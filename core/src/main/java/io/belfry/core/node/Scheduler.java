package io.belfry.core.node;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.Election;
import io.belfry.core.election.ElectionListener;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.election.Leadership;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.core.event.Publisher;
import io.belfry.core.fire.JobTable;
import io.belfry.core.follow.Follower;
import io.belfry.core.history.RetainCounts;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.LeaderNode;
import io.belfry.core.leader.LeaderTerm;
import io.belfry.core.leader.fire.FireProgress;
import io.belfry.core.leader.task.LiveCounts;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.job.JobId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler component of one process.
 *
 * <p>Threading: confined to its loop, except {@link #live}, {@link #repaired} and {@link #stalled}.
 */
public final class Scheduler {
  /** How long other nodes get to take over with a better clock; a node that is alone continues with its own after that. */
  private static final Duration CLOCK_HOLD_OFF = Duration.ofSeconds(5);
  /** A node whose clock is off leads if no other node does; this long, until it lets the others try again. */
  private static final Duration CLOCK_PATIENCE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

  private final Loop loop;
  private final Store state;
  private final String node;
  private final Strategies strategies;
  private final LeaderSettings settings;
  private final Observer observer;
  private final Election election;
  private final JobTable jobs = new JobTable();
  private final Follower cursors;
  private final ElectionSettings lead;
  private final Nodes known;
  private final Follower nodes;
  private @Nullable LeaderTerm term;
  private volatile Optional<LiveCounts> live = Optional.empty();
  private volatile Optional<FireProgress> progress = Optional.empty();
  private final AtomicLong repaired = new AtomicLong();
  private final RetainCounts retained = new RetainCounts();
  private Optional<Leadership> leadership = Optional.empty();
  private Optional<Long> steppedDownNanos = Optional.empty();
  private boolean stopped;

  /**
   * A scheduler that has not started.
   *
   * @param election the engine on which leaders are elected; often the same as {@code state}
   * @param node name and incarnation
   */
  public Scheduler(
      Loop loop,
      Store election,
      Store state,
      String node,
      ElectionSettings lead,
      LeaderSettings settings,
      Strategies strategies,
      Observer observer) {
    this.loop = loop;
    this.state = state;
    this.node = node;
    this.strategies = strategies;
    this.settings = settings;
    this.observer = observer;
    this.election = new Election(loop, election, state, node, lead, new TermStarter());
    this.cursors = new Follower(loop, state, Keys.CURSORS, new Cursors());
    this.lead = lead;
    this.known = new Nodes(loop, node, lead, this::startElection);
    this.nodes = new Follower(loop, state, Keys.NODES, known);
  }

  public void start() {
    cursors.start();
    nodes.start();
  }

  /** Starts the election. The other nodes must be known before anything fires by this node's clock. */
  private void startElection() {
    if (!stopped) {
      election.start();
      compareClocks();
    }
  }

  private void compareClocks() {
    if (stopped) {
      return;
    }
    var unused = loop.after(lead.renew(), this::compareClocks);
    known.clocks().check().filter(ahead -> election.leads() && mayStepDown()).ifPresent(ahead -> {
      LOG.warn(
          "The clock of node {} is {} ahead of the median clock of all nodes, so it steps down as leader. Correct its clock.",
          node,
          ahead);
      steppedDownNanos = Optional.of(loop.time().nanos());
      election.stepDown("the clock is off", CLOCK_HOLD_OFF);
    });
  }

  private boolean mayStepDown() {
    return steppedDownNanos
        .filter(at -> loop.time().nanos() - at < CLOCK_PATIENCE.toNanos())
        .isEmpty();
  }

  /**
   * Resigns as leader at once, and stops.
   *
   * @return completes once the engine has answered, or could not be reached
   */
  public CompletionStage<Void> stop() {
    stopped = true;
    CompletionStage<Void> resigned = election.resign();
    cursors.stop();
    nodes.stop();
    return resigned;
  }

  /** Counts of unfinished tasks, known to the leader; empty while this node does not lead. */
  public Optional<Unfinished> unfinished() {
    LeaderTerm now = term;
    return now == null || !election.leads()
        ? Optional.empty()
        : Optional.of(new Unfinished(now.tasks() - now.held(), now.held()));
  }

  /** Unfinished tasks by state, priority and queue; empty while this node does not lead. From any thread. */
  public Optional<LiveCounts> live() {
    return live;
  }

  /** How many cached records differed from the store and were corrected while this node led. From any thread. */
  public long repaired() {
    return repaired.get();
  }

  /** How long this node has led without deciding about due jobs; zero if none is due, or it does not lead. From any thread. */
  public Duration stalled() {
    return progress.map(FireProgress::stalled).orElse(Duration.ZERO);
  }

  /** Counts of this node's history retention while it led: what it found and dropped. From any thread. */
  public RetainCounts retained() {
    return retained;
  }

  /** How many tasks wait, and how many are held by workers. */
  public record Unfinished(long waiting, long held) {}

  /** The term in which this node leads, to its knowledge. */
  public Optional<Leadership> leadership() {
    return election.leads() ? leadership : Optional.empty();
  }

  public int jobs() {
    return jobs.size();
  }

  /** Begins and ends the terms of this node. */
  private final class TermStarter implements ElectionListener {
    @Override
    public void won(Leadership won) {
      leadership = Optional.of(won);
      var events = new Publisher(
          loop,
          state,
          node,
          won.term().number(),
          won.fence(),
          () -> election.leads() && leadership.filter(won::equals).isPresent(),
          observer,
          known::wanted);
      events.observed(new Happening.LeaderChanged(won.term()));
      term = new LeaderTerm(
          new LeaderNode(loop, state, node, jobs, strategies, settings, repaired, retained),
          won,
          election,
          events,
          () -> election.stepDown("the clock was set", CLOCK_HOLD_OFF));
      live = Optional.of(term.counts());
      progress = Optional.of(term.progress());
      term.start();
    }

    @Override
    public void lost(String why) {
      if (stopped) {
        LOG.info("Node {} resigns as leader, because it stops.", node);
      } else {
        LOG.warn(
            "Node {} has lost the leadership{}: {}. It schedules nothing until it leads again.",
            node,
            leadership.map(lead -> " of term " + lead.term().number()).orElse(""),
            why);
      }
      leadership = Optional.empty();
      if (term != null) {
        term.end();
        term = null;
        live = Optional.empty();
        progress = Optional.empty();
      }
    }

    @Override
    public Duration unready() {
      return known.untilAcquainted();
    }

    @Override
    public Duration reserve() {
      return known.clocks().off().isPresent() ? CLOCK_HOLD_OFF : Duration.ZERO;
    }
  }

  /** Updates the job table from the watch. */
  private final class Cursors implements Follower.Sink {
    private final Set<JobId> seen = new HashSet<>();
    private boolean reloading;

    @Override
    public void takenBack() {
      jobs.clear();
    }

    @Override
    public void loading() {
      seen.clear();
      reloading = jobs.size() > 0;
    }

    @Override
    public void put(Entry entry) {
      var job = new JobId(entry.key().text());
      if (reloading) {
        seen.add(job);
      }
      SafeDecoder.read(entry, each -> Records.cursor(each.value())).ifPresent(cursor -> {
        if (jobs.put(job, cursor, entry.revision()) && term != null) {
          term.jobChanged(job);
        }
      });
    }

    @Override
    public void deleted(Key key, long revision) {
      if (jobs.remove(new JobId(key.text()), revision)) {
        changed();
      }
    }

    @Override
    public void loaded() {
      if (reloading) {
        var gone = new ArrayList<JobTable.Due>();
        jobs.forEach(due -> {
          if (!seen.contains(due.job())) {
            gone.add(due);
          }
        });
        gone.forEach(due -> jobs.remove(due.job(), due.revision() + 1));
        reloading = false;
        seen.clear();
      }
      changed();
    }

    private void changed() {
      if (term != null) {
        term.jobsChanged();
      }
    }
  }
}
