package io.belfry.core.reign;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.fire.JobTable;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.ClockGuard;
import io.belfry.core.lead.Leadership;
import io.belfry.core.lead.TermCommits;
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
public final class Reign {
  /** The calendar may be set meanwhile: nothing is slept through for longer than this. */
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);
  /** What is due and cannot go yet, because too much is under way, is not asked for without a pause. */
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  private final Loop loop;
  private final ClockGuard clock;
  private final Runnable clockSet;
  private final JobTable jobs;
  private final BooleanSupplier leads;
  private final TaskBook book;
  private final Assigning assigning;
  private final Firing firing;
  private final Delays delays;
  private final FireProgress progress;
  private final Replacing replacing;
  private final Asking asking;
  private final Offering offering;
  private final Intake intake;
  private final AfterBook afterBook;
  private final Following following;
  private final CalendarBook calendars;
  private final Replanning replanning;
  private final Overdue overdue;
  private final Unmatched unmatched;
  private final Recollection recollection;
  private final TaskFeed feed;
  private final Retention retention;
  private final Sweep sweep;
  private final Follower workers;
  private final Follower requests;
  private final Switches switches;
  private final Follower after;
  private boolean tasksKnown;
  private boolean requestsKnown;
  private boolean ready;
  private boolean over;
  private boolean turnWanted;
  private Loop.@Nullable Timer alarm;

  /**
   * A reign that has not begun.
   *
   * @param node name and incarnation
   * @param jobs the cursors of all jobs, which its owner keeps up to date
   * @param trusted whether the election's lease can still be trusted
   * @param term hears what becomes of its commits
   * @param clockSet called when the calendar was set, by which this node would fire
   * @param repaired counts what was believed, and did not stand in the store
   * @param retained counts what housekeeping of history meets and drops
   */
  public Reign(
      Loop loop,
      Store store,
      String node,
      Leadership leadership,
      JobTable jobs,
      Strategies strategies,
      ReignSettings settings,
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
    var fenced = new Fenced(loop, store, leadership, leads, term);
    Dispatcher<LiveTask> dispatcher = Dispatcher.following(
        loop.time().nanos(),
        strategies.make(NamespaceSettings.DEFAULT.strategy()),
        Dispatcher.DEFAULT_STEP,
        loop.random());
    this.book = new TaskBook(
        loop, store, settings, leads, leadership.fence(), observer, dispatcher, this::turnSoon);
    this.recollection = new Recollection(loop, store, book, settings.limitKey(), this::turnSoon);
    this.intake = new Intake(fenced, book, settings.intake().waitingMax(), this::historyIsFull);
    var births = new Births(book, settings.limitKey(), this::cancelAgain);
    this.assigning = new Assigning(loop, store, fenced, book, births);
    this.calendars = new CalendarBook(this::calendarsKnown);
    var definitions = new Definitions(loop, store, calendars);
    this.replacing = new Replacing(loop, book, jobs, definitions, this::cancelAgain);
    var release = new Release(settings);
    this.afterBook = new AfterBook(this::followersKnown);
    this.following = new Following(
        loop,
        store,
        fenced,
        book,
        jobs,
        afterBook,
        settings,
        observer,
        decides,
        release,
        replacing,
        this::turnSoon,
        node + "." + leadership.term().number());
    var rewriting = new Rewriting(
        loop,
        fenced,
        book,
        node,
        leadership.term().number(),
        (lot, task) -> following.ended(lot, List.of(task)));
    this.offering =
        new Offering(loop, store, fenced, book, rewriting, this::turnSoon, this::readyIfAllIsKnown);
    this.replanning = new Replanning(loop, store, fenced, jobs, calendars, leads, this::turnSoon);
    this.asking = new Asking(
        loop,
        store,
        fenced,
        book,
        definitions,
        assigning,
        rewriting,
        new Serial(settings.intake().payloads()),
        this::turnSoon);
    var cursors = new CursorWrites(loop, store, jobs, leads, this::turnSoon);
    this.progress = new FireProgress(loop, jobs, cursors);
    this.delays = new Delays(loop, fenced, book, jobs, cursors, definitions, this::turnSoon);
    this.firing = new Firing(
        loop,
        store,
        fenced,
        book,
        jobs,
        cursors,
        definitions,
        births,
        settings,
        observer,
        decides,
        release,
        replacing,
        this::turnSoon);
    this.overdue =
        new Overdue(loop, book, rewriting, assigning, settings.overdue(), this::turnSoon);
    this.unmatched = new Unmatched(loop, book, settings.intake().unmatchedAfter());
    var rescuing = new Rescuing(
        loop,
        fenced,
        book,
        node + "." + leadership.term().number() + ".rescued",
        following::ended,
        this::turnSoon);
    var crew = new Workers(
        loop,
        fenced,
        book,
        rescuing,
        observer,
        settings.workerLease(),
        asking::cancelIfAsked,
        this::turnSoon);
    this.workers = new Follower(loop, store, Keys.WORKERS, crew);
    this.requests = new Follower(loop, store, Keys.REQUESTS, asking);
    asking.onLoaded(() -> {
      requestsKnown = true;
      readyIfAllIsKnown();
    });
    this.switches = new Switches(
        loop, store, strategies, dispatcher, intake, this::turnSoon, this::readyIfAllIsKnown);
    this.after = new Follower(loop, store, Keys.AFTER, afterBook);
    this.retention =
        new Retention(loop, store, fenced, settings.retain(), following, retained, decides);
    switches.onKeysFull(retention.keys()::heard);
    book.herald.onKey(retention.keys()::added);
    this.sweep = new Sweep(
        loop, store, book, jobs, cursors, settings.sweep(), repaired, leads, this::turnSoon);
    this.feed =
        new TaskFeed(loop, store, book, leads, following::ended, this::tasksLoaded, this::turnSoon);
  }

  private boolean historyIsFull() {
    return retention.isFull();
  }

  private void cancelAgain(TaskId task, CancelAsked asked) {
    asking.cancel(task, asked);
  }

  public void start() {
    switches.start();
    after.start();
    replanning.start();
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
    switches.stop();
    offering.stop();
    after.stop();
    replanning.stop();
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
      delays.look(job);
      replacing.look(job);
    }
    turnSoon();
  }

  /** Unfinished tasks. */
  public int tasks() {
    return book.tasks.size();
  }

  /** The same by state, priority and queue, for anybody to read at any time. */
  public LiveCounts counts() {
    return book.tasks.counts;
  }

  /** Those of them that workers have. */
  public int held() {
    return book.tasks.held();
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
      replanning.look();
    }
  }

  /** Of which the word was missed, or came when nobody was known to follow. */
  private void lookForEnds() {
    if (ready) {
      following.look();
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
    boolean known = tasksKnown && requestsKnown && switches.isLoaded() && calendars.isLoaded();
    if (!ready && known && offering.isKnown() && afterBook.isLoaded()) {
      ready = true;
      recollection.ready();
      offering.ready();
      following.look();
      replanning.look();
      delays.ready();
      replacing.resume();
      asking.ready();
      retention.start();
      sweep.start();
      turnSoon();
    }
  }

  private void watchOverdue() {
    var unused = loop.in(LONGEST_REST, () -> {
      if (leads.getAsBoolean()) {
        progress.look(!ready, switches.paused());
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
    if (!switches.paused()) {
      firing.fire();
      following.follow();
      assigning.assign();
    } else {
      firing.rest();
    }
    offering.offer(switches.paused());
    intake.look();
    recollection.look();
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
    if (!switches.paused()) {
      rest = shorter(rest, jobs.next());
      rest = shorter(rest, book.dispatcher.nextDue());
      if (book.dispatcher.nextRate().isPresent()) {
        long nanos = book.dispatcher.nextRate().getAsLong() - loop.time().nanos();
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
