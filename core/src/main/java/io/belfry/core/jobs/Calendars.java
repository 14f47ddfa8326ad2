package io.belfry.core.jobs;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.commit.PendingCallers;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.CalendarChange;
import io.belfry.core.record.Records;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Reads and changes calendars on any node. Every change rewrites their edition, which also guards it: so each change is checked against all
 * other calendars. The leader guards fires by the same edition, and plans the cursors of the jobs anew: a record beside the calendar,
 * written by the same commit, marks what is still to be done after a change.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class Calendars {
  /** The leader keeps all of them in memory, and every change reads all of them. */
  public static final int CALENDARS_MAX = 200;

  private static final int TRIES_MAX = 20;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Loop loop;
  private final Store store;
  private final PendingCallers callers = new PendingCallers();
  private boolean stopped;

  public Calendars(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** A requested change; its commit is empty if nothing is left to be done. */
  private record Wish<T>(
      String name,
      BiFunction<CalendarSnapshot, CalendarUse, Optional<Commit.Builder>> commit,
      Consumer<CompletableFuture<T>> done,
      Consumer<CompletableFuture<T>> nothing) {}

  /**
   * Saves the calendar, or replaces it. Once the stage completes, no job fires any more on a day that it excludes.
   *
   * @throws InvalidException in the stage, if its base is missing or forms a cycle with it; if it, or one that extends it, would be too
   *     large; or if there are too many
   */
  public CompletionStage<Calendar> put(Calendar calendar) {
    return change(new Wish<>(
        calendar.name(),
        (shelf, use) -> save(calendar, shelf),
        caller -> caller.complete(calendar),
        caller -> caller.complete(calendar)));
  }

  /**
   * Deletes the calendar. False if there was none.
   *
   * @throws InvalidException in the stage, if jobs use it, or other calendars extend it
   */
  public CompletionStage<Boolean> delete(String name) {
    String checked = Check.name("calendar", name, Calendar.NAME_CHARS_MAX);
    return change(new Wish<>(
        checked,
        (shelf, use) -> remove(checked, shelf, use),
        caller -> caller.complete(true),
        caller -> caller.complete(false)));
  }

  /** The calendar as it was saved; empty if there is none. */
  public CompletionStage<Optional<Calendar>> get(String name) {
    return store
        .get(List.of(CalendarKeys.calendar(Check.name("calendar", name, Calendar.NAME_CHARS_MAX))))
        .thenApply(found -> found.stream().findFirst().map(each -> Records.calendar(each.value())));
  }

  /** All calendars, ordered by name. */
  public CompletionStage<List<Calendar>> list() {
    return CalendarSnapshot.read(store).thenApply(CalendarSnapshot::all);
  }

  /** The calendar with the rules of its bases, so that it can decide about days. It need not be saved. */
  public CompletionStage<Calendar> resolved(Calendar calendar) {
    return CalendarSnapshot.read(store).thenApply(shelf -> calendar.resolve(shelf::find));
  }

  /** Retries no change any more; the callers that wait for one get a failure. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  private Optional<Commit.Builder> save(Calendar calendar, CalendarSnapshot shelf) {
    Optional<Calendar> before = shelf.find(calendar.name());
    if (before.equals(Optional.of(calendar))) {
      return Optional.empty();
    }
    Check.that(
        before.isPresent() || shelf.all().size() < CALENDARS_MAX,
        "calendar",
        calendar.name(),
        "must be one of at most " + CALENDARS_MAX
            + " calendars, because the leader keeps them all in memory",
        "Delete unused calendars, or combine several into one.");
    shelf.with(calendar).requireResolvable();
    Commit.Builder commit =
        shelf.change().put(CalendarKeys.calendar(calendar.name()), Records.encode(calendar));
    if (before.isPresent()) {
      Instant now = loop.time().wall();
      Instant since = shelf
          .changed(calendar.name())
          .filter(earlier -> earlier.isBefore(now))
          .orElse(now);
      commit.put(CalendarKeys.change(calendar.name()), Records.encode(new CalendarChange(since)));
    }
    return Optional.of(commit);
  }

  private static Optional<Commit.Builder> remove(
      String name, CalendarSnapshot shelf, CalendarUse use) {
    if (shelf.find(name).isEmpty()) {
      return Optional.empty();
    }
    requireUnused(name, use.jobs(), "jobs use it", "they could not decide on which days to fire");
    requireUnused(
        name, shelf.restingOn(name), "other calendars extend it", "they include its rules");
    Commit.Builder commit = shelf.change();
    use.addTo(commit);
    return Optional.of(commit
        .delete(CalendarKeys.calendar(name))
        .delete(CalendarKeys.change(name))
        .delete(CalendarKeys.use(name)));
  }

  private static void requireUnused(String name, List<String> users, String how, String why) {
    Check.that(
        users.isEmpty(),
        "calendar",
        name,
        "must not be deleted while " + how + " (" + JobDependencies.some(users) + "), because "
            + why,
        "Change or delete those first.");
  }

  private <T> CompletionStage<T> change(Wish<T> wish) {
    CompletableFuture<T> caller = callers.enter();
    PendingCallers.post(loop, caller, () -> attempt(wish, caller, TRIES_MAX));
    return caller;
  }

  private <T> void attempt(Wish<T> wish, CompletableFuture<T> caller, int tries) {
    if (stopped) {
      return;
    }
    loop.onResult(
        CalendarSnapshot.read(store)
            .thenCompose(shelf ->
                CalendarUse.read(store, wish.name).thenApply(use -> wish.commit.apply(shelf, use))),
        commit -> commit.ifPresentOrElse(
            sure -> commit(wish, sure.build(), caller, tries), () -> wish.nothing.accept(caller)),
        failure -> failed(wish, caller, tries, failure));
  }

  /** Retries after a stale read. */
  private <T> void failed(Wish<T> wish, CompletableFuture<T> caller, int tries, Throwable failure) {
    if (failure instanceof CalendarSnapshot.Lagging && tries > 0) {
      var unused = loop.after(PAUSE, () -> attempt(wish, caller, tries - 1));
    } else {
      caller.completeExceptionally(failure);
    }
  }

  private <T> void commit(Wish<T> wish, Commit commit, CompletableFuture<T> caller, int tries) {
    callers.sent(caller);
    RetryingCommitter.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          if (settled.outcome() instanceof Outcome.Done) {
            wish.done.accept(caller);
          } else if (settled.afterUnknown()) {
            caller.completeExceptionally(new StoreException.Unknown(
                "The change of calendar " + wish.name
                    + " may have been made: the store's answer was lost, and calendars have changed since. Read it again.",
                null));
          } else if (tries == 0) {
            caller.completeExceptionally(new StoreException.Overloaded(
                "Other clients change calendars too fast for the change of " + wish.name
                    + ". Try again later."));
          } else {
            attempt(wish, caller, tries - 1);
          }
        });
  }
}
