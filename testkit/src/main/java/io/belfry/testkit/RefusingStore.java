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
 * A store whose engine refuses requests for a while, with a reason that the test chooses: a changed password, a missing permission, a full
 * disk, damaged data. Refused requests have no effect.
 *
 * <p>Threading: safe.
 */
public final class RefusingStore extends DelegatingStore {

  /** Which requests are refused. */
  public enum Scope {
    /** Commits that put something, like a full engine: commits that only delete are executed. */
    PUTS,
    /** Commits only: the engine answers reads and renews leases. */
    COMMITS,
    /** Everything except watches, which stay open without events. */
    EVERYTHING
  }

  private record Refusal(Scope scope, Supplier<? extends StoreException> reason) {}

  private volatile Optional<Refusal> refusal = Optional.empty();
  private volatile boolean losing;

  public RefusingStore(Store store) {
    super(store);
  }

  /** Starts refusing. */
  public void refuse(Scope scope, Supplier<? extends StoreException> reason) {
    refusal = Optional.of(new Refusal(scope, reason));
  }

  /** Stops refusing. */
  public void accept() {
    refusal = Optional.empty();
  }

  /** Whether commits are executed and their results are lost. */
  public void loseAnswers(boolean lose) {
    losing = lose;
  }

  /** One exception for each kind of temporary refusal. */
  public static List<Supplier<? extends StoreException>> kinds() {
    return List.of(
        () -> new StoreException.Denied("The password is wrong, injected by the test.", null),
        () -> new StoreException.Damaged("The data is damaged, injected by the test.", null),
        () -> new StoreException.Full("The store is full, injected by the test.", null),
        () -> new StoreException.Overloaded("The store is overloaded, injected by the test."),
        () -> new StoreException.Unavailable("The engine is down, injected by the test.", null));
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
                    new StoreException.Unknown("The result is lost, injected by the test.", null))
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
