package io.belfry.core.leader;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.election.Leadership;
import io.belfry.core.election.TermCommits;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.JobTable;
import io.belfry.core.follow.Follower;
import io.belfry.core.history.Retention;
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
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskFeed;
import io.belfry.core.leader.task.TaskListener;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TaskTransitions;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One leader during one term: assembles the parts, waits until all of them have read what they need, and takes turns.
 *
 * <p>Threading: confined to its loop.
 */
public final class LeaderTerm {
  /** The wall clock may be set meanwhile, so nothing sleeps longer than this. */
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);
  /** What is due and cannot start yet, because too many commits are in flight, is tried again after a pause. */
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  private final TermLoop loop;
  private final JobTable jobs;
  private final LoadBarrier barrier = new LoadBarrier(this::begin);
  private final TaskTable table;
  private final TaskFactory factory;
  private final TaskAssigner assigner;
  private final JobFirer firer;
  private final FixedDelays fixedDelays;
  private final FireProgress progress;
  private final OverlapReplacer replacer;
  private final RequestHandler requests;
  private final PullOffers offers;
  private final Backpressure backpressure;
  private final AfterJobs afterJobs;
  private final CalendarReplanner replanner;
  private final OverdueAttempts overdue;
  private final UnmatchedTasks unmatched;
  private final RateHistory rateHistory;
  private final WorkerTracker workers;
  private final TaskFeed feed;
  private final Retention retention;
  private final Reconciler reconciler;
  private final NamespaceSettingsWatch namespaceSettings;
  private final List<Follower> followers;
  private boolean turnWanted;
  private Loop.@Nullable Timer alarm;

  /**
   * A term that has not begun.
   *
   * @param election says whether the term lasts, and receives what becomes of its commits
   * @param clockWasSet gives up the lead
   */
  public LeaderTerm(
      LeaderNode node,
      Leadership leadership,
      TermCommits election,
      Observer observer,
      Runnable clockWasSet) {
    String writer = node.name() + "." + leadership.term().number();
    this.loop = new TermLoop(node.loop(), election::leads, clockWasSet);
    this.jobs = node.jobs();
    var committer = new TermCommitter(loop, node.store(), leadership, election);
    var term =
        new TermContext(loop, node.store(), committer, node.settings(), observer, this::turnSoon);
    Dispatcher<LiveTask> dispatcher = Dispatcher.following(
        loop.time().nanos(),
        node.strategies().make(NamespaceSettings.DEFAULT.strategy()),
        Dispatcher.DEFAULT_STEP,
        loop.random());
    this.table =
        new TaskTable(term, leadership.fence(), dispatcher, new TaskChanges(), this::keyAdded);
    this.rateHistory = new RateHistory(term, table);
    this.backpressure = new Backpressure(term, table, this::historyIsFull);
    this.factory = new TaskFactory(term, table, this::cancel);
    this.assigner = new TaskAssigner(term, table, factory);
    var calendars =
        new CalendarCache(() -> loaded(LoadBarrier.Part.CALENDARS), this::calendarsChanged);
    var definitions = new JobDefinitions(term, calendars);
    this.replacer = new OverlapReplacer(term, table, jobs, definitions, this::cancel);
    var rate = new CatchUpRate(node.settings());
    var afterIndex =
        new AfterJobIndex(() -> loaded(LoadBarrier.Part.AFTER_JOBS), this::lookForEnds);
    this.afterJobs = new AfterJobs(term, table, factory, jobs, afterIndex, rate, replacer, writer);
    var transitions = new TaskTransitions(
        term, table, writer, (endedBatch, task) -> afterJobs.ended(endedBatch, List.of(task)));
    this.offers = new PullOffers(
        term,
        table,
        transitions,
        () -> loaded(LoadBarrier.Part.QUEUES),
        () -> loaded(LoadBarrier.Part.OFFERS));
    this.replanner = new CalendarReplanner(term, jobs, calendars);
    this.requests = new RequestHandler(
        term,
        table,
        factory,
        definitions,
        assigner,
        transitions,
        () -> loaded(LoadBarrier.Part.REQUESTS));
    var cursors = new CursorWrites(term, jobs, this::cursorWritten);
    this.progress = new FireProgress(node.loop(), jobs, cursors);
    this.fixedDelays = new FixedDelays(term, table, jobs, cursors, definitions);
    this.firer = new JobFirer(term, table, jobs, cursors, definitions, factory, rate, replacer);
    this.overdue = new OverdueAttempts(term, table, transitions, assigner);
    this.unmatched = new UnmatchedTasks(term, table);
    var rescuer =
        new TaskRescuer(term, table, writer + ".rescued", afterJobs::ended, this::isOrphaned);
    this.workers = new WorkerTracker(term, table, rescuer, requests::cancelIfAsked);
    this.retention = new Retention(
        loop,
        node.store(),
        committer,
        node.settings().retain(),
        afterJobs,
        node.retained(),
        loop::lasts);
    this.namespaceSettings = new NamespaceSettingsWatch(
        term,
        node.strategies(),
        dispatcher,
        backpressure,
        retention.keys()::heard,
        () -> loaded(LoadBarrier.Part.SETTINGS));
    this.reconciler = new Reconciler(term, table, jobs, cursors, node.repaired());
    this.feed = new TaskFeed(term, table, afterJobs::ended, this::tasksLoaded);
    this.followers = List.of(
        new Follower(loop, node.store(), Keys.AFTER, afterIndex),
        new Follower(loop, node.store(), Keys.WORKERS, workers),
        new Follower(loop, node.store(), Keys.REQUESTS, requests));
  }

  /** Whom a change of a task concerns, in this order. */
  private final class TaskChanges implements TaskListener {
    @Override
    public void changed(LiveTask live) {
      rateHistory.changed(live);
      requests.cancelIfAsked(live);
      workers.rescueIfOrphaned(live);
    }

    @Override
    public void ended(LiveTask live, Task end) {
      rateHistory.ended(live, end);
      requests.ended(live, end);
      fixedDelays.ended(end);
    }
  }

  private void keyAdded() {
    retention.keys().added();
  }

  private boolean historyIsFull() {
    return retention.isFull();
  }

  private boolean isOrphaned(LiveTask live) {
    return workers.isOrphaned(live);
  }

  private void cancel(TaskId task, CancelRequested request) {
    requests.cancel(task, request);
  }

  private void cursorWritten(JobId job) {
    fixedDelays.check(job);
  }

  public void start() {
    namespaceSettings.start();
    followers.forEach(Follower::start);
    replanner.start();
    offers.start();
    feed.start();
    checkEachSecond();
  }

  /** Nothing of it acts any more. */
  public void end() {
    loop.end();
    followers.forEach(Follower::stop);
    namespaceSettings.stop();
    offers.stop();
    replanner.stop();
    feed.stop();
  }

  /** Jobs have changed. */
  public void jobsChanged() {
    turnSoon();
  }

  /** The cursor of this job has changed. */
  public void jobChanged(JobId job) {
    if (barrier.isOpen()) {
      fixedDelays.check(job);
      replacer.check(job);
    }
    turnSoon();
  }

  /** Unfinished tasks. */
  public int tasks() {
    return table.tasks.size();
  }

  /** The same by state, priority and queue, readable from any thread. */
  public LiveCounts counts() {
    return table.tasks.counts;
  }

  /** Those of them that workers hold. */
  public int held() {
    return table.tasks.held();
  }

  /** Whether it decides what is due, readable from any thread. */
  public FireProgress progress() {
    return progress;
  }

  private void loaded(LoadBarrier.Part part) {
    barrier.loaded(part);
  }

  private void calendarsChanged() {
    if (barrier.isOpen()) {
      replanner.check();
    }
  }

  /** Finds ends whose report was missed, or came when no job was known to follow. */
  private void lookForEnds() {
    if (barrier.isOpen()) {
      afterJobs.check();
    }
  }

  private void tasksLoaded() {
    lookForEnds();
    loaded(LoadBarrier.Part.TASKS);
    turnSoon();
  }

  /** All that it needs has been read. */
  private void begin() {
    rateHistory.ready();
    offers.ready();
    afterJobs.check();
    replanner.check();
    fixedDelays.ready();
    replacer.resume();
    requests.ready();
    retention.start();
    reconciler.start();
    turnSoon();
  }

  private void checkEachSecond() {
    var unused = loop.after(LONGEST_REST, () -> {
      progress.check(!barrier.isOpen(), namespaceSettings.paused());
      overdue.check();
      unmatched.check();
      checkEachSecond();
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
    if (!barrier.isOpen()) {
      return;
    }
    factory.turnBegins();
    if (!namespaceSettings.paused()) {
      firer.fire();
      afterJobs.follow();
      assigner.assign();
    } else {
      firer.rest();
      factory.createUnassigned();
    }
    offers.offer(namespaceSettings.paused());
    backpressure.check();
    rateHistory.check();
    restUntilNext();
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
    alarm = loop.after(rest.isPositive() ? rest : SHORTEST_REST, this::turn);
  }

  private Duration shorter(Duration rest, Optional<Instant> at) {
    if (at.isEmpty()) {
      return rest;
    }
    Duration until = Duration.between(loop.time().wall(), at.get());
    return until.compareTo(rest) < 0 ? until : rest;
  }
}
