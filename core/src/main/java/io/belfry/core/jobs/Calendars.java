package io.belfry.core.jobs;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.commit.Callers;
import io.belfry.core.commit.Settler;
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
 * One node's door for calendars. Every change rewrites their edition, by which it is guarded, too: so each is judged with all the others
 * before it is made. The leader guards fires by the same edition, and plans the cursors of the jobs anew: what is still to be done after
 * a change stands beside the calendar, written by the same commit.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class Calendars {
  /** The leader keeps them all in memory, and every change reads them all. */
  public static final int CALENDARS_MAX = 200;

  private static final int TRIES_MAX = 20;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Loop loop;
  private final Store store;
  private final Callers callers = new Callers();
  private boolean stopped;

  public Calendars(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** What somebody wants; empty if nothing is left to be done, otherwise what is to be committed. */
  private record Wish<T>(
      String name,
      BiFunction<CalendarShelf, CalendarUse, Optional<Commit.Builder>> commit,
      Consumer<CompletableFuture<T>> done,
      Consumer<CompletableFuture<T>> nothing) {}

  /**
   * Saves the calendar, whatever stood there before. Once the stage completes, no job fires any more on a day that it takes out.
   *
   * @throws InvalidException in the stage, if its base is missing or leads back to it, or if it, or one that rests on it, would be too
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
   * Takes the calendar out. False if there was none.
   *
   * @throws InvalidException in the stage, if jobs go by it, or other calendars rest on it
   */
  public CompletionStage<Boolean> delete(String name) {
    String checked = Check.name("calendar", name, Calendar.NAME_CHARS_MAX);
    return change(new Wish<>(
        checked,
        (shelf, use) -> remove(checked, shelf, use),
        caller -> caller.complete(true),
        caller -> caller.complete(false)));
  }

  /** As it was saved; empty if there is none. */
  public CompletionStage<Optional<Calendar>> get(String name) {
    return store
        .get(List.of(CalendarKeys.calendar(Check.name("calendar", name, Calendar.NAME_CHARS_MAX))))
        .thenApply(found -> found.stream().findFirst().map(each -> Records.calendar(each.value())));
  }

  /** All of them, in the order of their names. */
  public CompletionStage<List<Calendar>> list() {
    return CalendarShelf.read(store).thenApply(CalendarShelf::all);
  }

  /** The calendar with the rules of those that it rests on, so that it can say of a day whether it counts. It need not be saved. */
  public CompletionStage<Calendar> resolved(Calendar calendar) {
    return CalendarShelf.read(store).thenApply(shelf -> calendar.resolve(shelf::find));
  }

  /** No change is tried again from here on, and whoever waits for one is told. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  private Optional<Commit.Builder> save(Calendar calendar, CalendarShelf shelf) {
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
        "Delete calendars that nothing uses, or put more rules into one.");
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
      String name, CalendarShelf shelf, CalendarUse use) {
    if (shelf.find(name).isEmpty()) {
      return Optional.empty();
    }
    requireUnused(name, use.jobs(), "jobs go by it", "they would not know their days");
    requireUnused(
        name, shelf.restingOn(name), "other calendars rest on it", "their rules begin with it");
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
        "must not be deleted while " + how + " (" + Ties.some(users) + "), because " + why,
        "Change or delete those first.");
  }

  private <T> CompletionStage<T> change(Wish<T> wish) {
    CompletableFuture<T> caller = callers.enter();
    Callers.post(loop, caller, () -> attempt(wish, caller, TRIES_MAX));
    return caller;
  }

  private <T> void attempt(Wish<T> wish, CompletableFuture<T> caller, int tries) {
    if (stopped) {
      return;
    }
    loop.onResult(
        CalendarShelf.read(store)
            .thenCompose(shelf ->
                CalendarUse.read(store, wish.name).thenApply(use -> wish.commit.apply(shelf, use))),
        commit -> commit.ifPresentOrElse(
            sure -> commit(wish, sure.build(), caller, tries), () -> wish.nothing.accept(caller)),
        failure -> failed(wish, caller, tries, failure));
  }

  /** A read that lags behind is no reason to refuse anything. */
  private <T> void failed(Wish<T> wish, CompletableFuture<T> caller, int tries, Throwable failure) {
    if (failure instanceof CalendarShelf.Lagging && tries > 0) {
      var unused = loop.after(PAUSE, () -> attempt(wish, caller, tries - 1));
    } else {
      caller.completeExceptionally(failure);
    }
  }

  private <T> void commit(Wish<T> wish, Commit commit, CompletableFuture<T> caller, int tries) {
    callers.sent(caller);
    Settler.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          if (settled.outcome() instanceof Outcome.Done) {
            wish.done.accept(caller);
          } else if (settled.afterUnknown()) {
            caller.completeExceptionally(new StoreException.Unknown(
                "The change of calendar " + wish.name
                    + " may have been made: the answer got lost, and calendars have changed since. Read it again.",
                null));
          } else if (tries == 0) {
            caller.completeExceptionally(
                new StoreException.Overloaded("Calendars are changed by others faster than "
                    + wish.name + " can be. Try again later."));
          } else {
            attempt(wish, caller, tries - 1);
          }
        });
  }
}
