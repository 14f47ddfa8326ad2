package io.belfry.core.leader;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ClockGuard;
import io.belfry.core.election.Leadership;
import io.belfry.core.election.TermCommits;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.JobTable;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.assign.PullOffers;
import io.belfry.core.leader.assign.RateHistory;
import io.belfry.core.leader.assign.TaskAssigner;
import io.belfry.core.leader.assign.UnmatchedTasks;
import io.belfry.core.leader.fire.CalendarCache;
import io.belfry.core.leader.fire.CalendarReplanner;
import io.belfry.core.leader.fire.CatchUpRate;
import io.belfry.core.leader.fire.CursorWrites;
import io.belfry.core.leader.fire.FireProgress;
import io.belfry.core.leader.fire.FixedDelays;
import io.belfry.core.leader.fire.JobDefinitions;
import io.belfry.core.leader.fire.JobFirer;
import io.belfry.core.leader.fire.OverlapReplacer;
import io.belfry.core.leader.flow.AfterJobIndex;
import io.belfry.core.leader.flow.AfterJobs;
import io.belfry.core.leader.request.RequestHandler;
import io.belfry.core.leader.rescue.OverdueAttempts;
import io.belfry.core.leader.rescue.TaskRescuer;
import io.belfry.core.leader.rescue.WorkerTracker;
import io.belfry.core.leader.task.CancelRequested;
import io.belfry.core.leader.task.LiveCounts;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskBody;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskFeed;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TaskTransitions;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.retain.RetainCounts;
import io.belfry.core.retain.Retention;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One leader during one term: puts the parts together and turns the crank.
 *
 * <p>Threading: confined to its loop.
 */
public final class LeaderTerm {
  /** The calendar may be set meanwhile: nothing is slept through for longer than this. */
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);
  /** What is due and cannot go yet, because too much is under way, is not asked for without a pause. */
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  private final Loop loop;
  private final ClockGuard clock;
  private final Runnable clockSet;
  private final JobTable jobs;
  private final BooleanSupplier leads;
  private final TaskTable table;
  private final TaskAssigner assigner;
  private final JobFirer firer;
  private final FixedDelays fixedDelays;
  private final FireProgress progress;
  private final OverlapReplacer replacer;
  private final RequestHandler requestHandler;
  private final PullOffers offering;
  private final Backpressure backpressure;
  private final AfterJobIndex afterIndex;
  private final AfterJobs afterJobs;
  private final CalendarCache calendars;
  private final CalendarReplanner replanner;
  private final OverdueAttempts overdue;
  private final UnmatchedTasks unmatched;
  private final RateHistory rateHistory;
  private final TaskFeed feed;
  private final Retention retention;
  private final Reconciler reconcileEvery;
  private final Follower workers;
  private final Follower requests;
  private final NamespaceSettingsWatch namespaceSettings;
  private final Follower after;
  private boolean tasksKnown;
  private boolean requestsKnown;
  private boolean ready;
  private boolean over;
  private boolean turnWanted;
  private Loop.@Nullable Timer alarm;

  /**
   * A term that has not begun.
   *
   * @param node name and incarnation
   * @param jobs the cursors of all jobs, which its owner keeps up to date
   * @param trusted whether the election's lease can still be trusted
   * @param term hears what becomes of its commits
   * @param clockSet called when the calendar was set, by which this node would fire
   * @param repaired counts what was believed, and did not stand in the store
   * @param retained counts what housekeeping of history meets and drops
   */
  public LeaderTerm(
      Loop loop,
      Store store,
      String node,
      Leadership leadership,
      JobTable jobs,
      Strategies strategies,
      LeaderSettings settings,
      Observer observer,
      BooleanSupplier trusted,
      TermCommits term,
      Runnable clockSet,
      AtomicLong repaired,
      RetainCounts retained) {
    this.loop = loop;
    this.clock = new ClockGuard(loop.time());
    this.clockSet = clockSet;
    this.jobs = jobs;
    this.leads = () -> !over && trusted.getAsBoolean();
    BooleanSupplier decides = () -> leads.getAsBoolean() && clockIsSteady();
    var committer = new TermCommitter(loop, store, leadership, leads, term);
    Dispatcher<LiveTask> dispatcher = Dispatcher.following(
        loop.time().nanos(),
        strategies.make(NamespaceSettings.DEFAULT.strategy()),
        Dispatcher.DEFAULT_STEP,
        loop.random());
    this.table = new TaskTable(
        loop, store, settings, leads, leadership.fence(), observer, dispatcher, this::turnSoon);
    this.rateHistory = new RateHistory(loop, store, table, settings.limitKey(), this::turnSoon);
    this.backpressure = new Backpressure(
        committer, table, settings.backpressure().waitingMax(), this::historyIsFull);
    var factory = new TaskFactory(table, settings.limitKey(), this::cancelAgain);
    this.assigner = new TaskAssigner(loop, store, committer, table, factory);
    this.calendars = new CalendarCache(this::calendarsKnown);
    var definitions = new JobDefinitions(loop, store, calendars);
    this.replacer = new OverlapReplacer(loop, table, jobs, definitions, this::cancelAgain);
    var release = new CatchUpRate(settings);
    this.afterIndex = new AfterJobIndex(this::followersKnown);
    this.afterJobs = new AfterJobs(
        loop,
        store,
        committer,
        table,
        jobs,
        afterIndex,
        settings,
        observer,
        decides,
        release,
        replacer,
        this::turnSoon,
        node + "." + leadership.term().number());
    var transitions = new TaskTransitions(
        loop,
        committer,
        table,
        node,
        leadership.term().number(),
        (lot, task) -> afterJobs.ended(lot, List.of(task)));
    this.offering = new PullOffers(
        loop, store, committer, table, transitions, this::turnSoon, this::readyIfAllIsKnown);
    this.replanner =
        new CalendarReplanner(loop, store, committer, jobs, calendars, leads, this::turnSoon);
    this.requestHandler = new RequestHandler(
        loop,
        store,
        committer,
        table,
        definitions,
        assigner,
        transitions,
        new TaskBody(settings.backpressure().payloads()),
        this::turnSoon);
    var cursors = new CursorWrites(loop, store, jobs, leads, this::turnSoon);
    this.progress = new FireProgress(loop, jobs, cursors);
    this.fixedDelays =
        new FixedDelays(loop, committer, table, jobs, cursors, definitions, this::turnSoon);
    this.firer = new JobFirer(
        loop,
        store,
        committer,
        table,
        jobs,
        cursors,
        definitions,
        factory,
        settings,
        observer,
        decides,
        release,
        replacer,
        this::turnSoon);
    this.overdue =
        new OverdueAttempts(loop, table, transitions, assigner, settings.overdue(), this::turnSoon);
    this.unmatched = new UnmatchedTasks(loop, table, settings.backpressure().unmatchedAfter());
    var rescuer = new TaskRescuer(
        loop,
        committer,
        table,
        node + "." + leadership.term().number() + ".rescued",
        afterJobs::ended,
        this::turnSoon);
    var crew = new WorkerTracker(
        loop,
        committer,
        table,
        rescuer,
        observer,
        settings.workerLease(),
        requestHandler::cancelIfAsked,
        this::turnSoon);
    this.workers = new Follower(loop, store, Keys.WORKERS, crew);
    this.requests = new Follower(loop, store, Keys.REQUESTS, requestHandler);
    requestHandler.onLoaded(() -> {
      requestsKnown = true;
      readyIfAllIsKnown();
    });
    this.namespaceSettings = new NamespaceSettingsWatch(
        loop, store, strategies, dispatcher, backpressure, this::turnSoon, this::readyIfAllIsKnown);
    this.after = new Follower(loop, store, Keys.AFTER, afterIndex);
    this.retention =
        new Retention(loop, store, committer, settings.retain(), afterJobs, retained, decides);
    namespaceSettings.onKeysFull(retention.keys()::heard);
    table.events.onKey(retention.keys()::added);
    this.reconcileEvery = new Reconciler(
        loop,
        store,
        table,
        jobs,
        cursors,
        settings.reconcileEvery(),
        repaired,
        leads,
        this::turnSoon);
    this.feed = new TaskFeed(
        loop, store, table, leads, afterJobs::ended, this::tasksLoaded, this::turnSoon);
  }

  private boolean historyIsFull() {
    return retention.isFull();
  }

  private void cancelAgain(TaskId task, CancelRequested asked) {
    requestHandler.cancel(task, asked);
  }

  public void start() {
    namespaceSettings.start();
    after.start();
    replanner.start();
    workers.start();
    requests.start();
    offering.start();
    feed.start();
    watchOverdue();
  }

  /** Nothing of it acts any more. */
  public void end() {
    over = true;
    workers.stop();
    requests.stop();
    namespaceSettings.stop();
    offering.stop();
    after.stop();
    replanner.stop();
    feed.stop();
    if (alarm != null) {
      alarm.cancel();
    }
  }

  /** Jobs have changed. */
  public void jobsChanged() {
    turnSoon();
  }

  /** The cursor of this job was heard of. */
  public void jobChanged(JobId job) {
    if (ready) {
      fixedDelays.look(job);
      replacer.look(job);
    }
    turnSoon();
  }

  /** Unfinished tasks. */
  public int tasks() {
    return table.tasks.size();
  }

  /** The same by state, priority and queue, for anybody to read at any time. */
  public LiveCounts counts() {
    return table.tasks.counts;
  }

  /** Those of them that workers have. */
  public int held() {
    return table.tasks.held();
  }

  /** Whether it decides what is due, for anybody to read at any time. */
  public FireProgress progress() {
    return progress;
  }

  private void followersKnown() {
    lookForEnds();
    readyIfAllIsKnown();
  }

  private void calendarsKnown() {
    readyIfAllIsKnown();
    if (ready) {
      replanner.look();
    }
  }

  /** Of which the word was missed, or came when nobody was known to follow. */
  private void lookForEnds() {
    if (ready) {
      afterJobs.look();
    }
  }

  private void tasksLoaded() {
    tasksKnown = true;
    lookForEnds();
    readyIfAllIsKnown();
    turnSoon();
  }

  /** A leader that gives out tasks before it knows what was asked of the last one would begin what was cancelled, or paused. */
  private void readyIfAllIsKnown() {
    boolean known =
        tasksKnown && requestsKnown && namespaceSettings.isLoaded() && calendars.isLoaded();
    if (!ready && known && offering.isKnown() && afterIndex.isLoaded()) {
      ready = true;
      rateHistory.ready();
      offering.ready();
      afterJobs.look();
      replanner.look();
      fixedDelays.ready();
      replacer.resume();
      requestHandler.ready();
      retention.start();
      reconcileEvery.start();
      turnSoon();
    }
  }

  private void watchOverdue() {
    var unused = loop.in(LONGEST_REST, () -> {
      if (leads.getAsBoolean()) {
        progress.look(!ready, namespaceSettings.paused());
        if (clockIsSteady()) {
          overdue.look();
          unmatched.look();
        }
        watchOverdue();
      }
    });
  }

  private void turnSoon() {
    if (!turnWanted) {
      turnWanted = true;
      loop.post(this::turn); // behind what else this turn of the loop brings
    }
  }

  private void turn() {
    turnWanted = false;
    if (!leads.getAsBoolean() || !clockIsSteady() || !ready) {
      return;
    }
    if (!namespaceSettings.paused()) {
      firer.fire();
      afterJobs.follow();
      assigner.assign();
    } else {
      firer.rest();
    }
    offering.offer(namespaceSettings.paused());
    backpressure.look();
    rateHistory.look();
    restUntilNext();
  }

  /** Nothing is fired by a calendar that was just set. */
  private boolean clockIsSteady() {
    if (clock.isSteady()) {
      return true;
    }
    clockSet.run();
    return false;
  }

  private void restUntilNext() {
    if (alarm != null) {
      alarm.cancel();
    }
    Duration rest = LONGEST_REST;
    if (!namespaceSettings.paused()) {
      rest = shorter(rest, jobs.next());
      rest = shorter(rest, table.dispatcher.nextDue());
      if (table.dispatcher.nextRate().isPresent()) {
        long nanos = table.dispatcher.nextRate().getAsLong() - loop.time().nanos();
        rest = nanos < rest.toNanos() ? Duration.ofNanos(nanos) : rest;
      }
    }
    alarm = loop.in(rest.isPositive() ? rest : SHORTEST_REST, this::turn);
  }

  private Duration shorter(Duration rest, Optional<Instant> at) {
    if (at.isEmpty()) {
      return rest;
    }
    Duration until = Duration.between(loop.time().wall(), at.get());
    return until.compareTo(rest) < 0 ? until : rest;
  }
}
