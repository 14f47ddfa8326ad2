package io.belfry.testkit;

import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store whose engine refuses requests for a while, with a reason that the test chooses: a changed password, a missing permission, no
 * room, damaged data. Nothing happens while it refuses.
 *
 * <p>Threading: safe.
 */
public final class RefusingStore extends DelegatingStore {

  /** Which requests are refused. */
  public enum Scope {
    /** Commits that put something, as an engine without room does: what only deletes is carried out. */
    PUTS,
    /** Commits only: the engine answers reads and renews leases. */
    COMMITS,
    /** Everything but watches, which stay open and silent. */
    EVERYTHING
  }

  private record Refusal(Scope scope, Supplier<? extends StoreException> reason) {}

  private volatile Optional<Refusal> refusal = Optional.empty();
  private volatile boolean losing;

  public RefusingStore(Store store) {
    super(store);
  }

  /** Refuses from now on. */
  public void refuse(Scope scope, Supplier<? extends StoreException> reason) {
    refusal = Optional.of(new Refusal(scope, reason));
  }

  /** Answers again. */
  public void accept() {
    refusal = Optional.empty();
  }

  /** Whether commits are carried out, and their answers get lost. */
  public void loseAnswers(boolean lose) {
    losing = lose;
  }

  /** A refusal of each kind that an engine may give for a while. */
  public static List<Supplier<? extends StoreException>> kinds() {
    return List.of(
        () -> new StoreException.Denied("The password is wrong, on purpose.", null),
        () -> new StoreException.Damaged("The data is damaged, on purpose.", null),
        () -> new StoreException.Full("There is no room, on purpose.", null),
        () -> new StoreException.Overloaded("Too much waits, on purpose."),
        () -> new StoreException.Unavailable("The engine is away, on purpose.", null));
  }

  private <T> CompletionStage<T> unlessRefused(Scope least, Supplier<CompletionStage<T>> ask) {
    Optional<Refusal> now = refusal.filter(each -> each.scope.compareTo(least) >= 0);
    return now.isPresent() ? CompletableFuture.failedStage(now.get().reason.get()) : ask.get();
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    boolean lost = losing;
    boolean puts = commit.writes().stream().anyMatch(Write.Put.class::isInstance);
    return unlessRefused(
        puts ? Scope.PUTS : Scope.COMMITS,
        () -> store
            .commit(commit)
            .thenCompose(outcome -> lost
                ? CompletableFuture.failedStage(
                    new StoreException.Unknown("The answer is lost, on purpose.", null))
                : CompletableFuture.completedStage(outcome)));
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    return unlessRefused(Scope.EVERYTHING, () -> store.get(keys));
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    return unlessRefused(Scope.EVERYTHING, () -> store.scan(scan));
  }

  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    return unlessRefused(Scope.EVERYTHING, () -> store.grant(ttl));
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    return unlessRefused(Scope.EVERYTHING, () -> store.renew(lease));
  }

  @Override
  public CompletionStage<Void> revoke(long lease) {
    return unlessRefused(Scope.EVERYTHING, () -> store.revoke(lease));
  }
}
