package io.belfry.core.election;

import io.belfry.core.loop.Loop;
import io.belfry.store.Outcome;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Whether a leader can write to the state engine. If nothing else of its term was answered for a heartbeat, it writes a probe; if nothing
 * was for longer than its lease, it must resign.
 *
 * <p>Threading: confined to its loop.
 */
final class LeaderWrites {
  private final Loop loop;
  private final WriteProof proof;
  private final ElectionSettings settings;
  private final long fence;
  private final BooleanSupplier wanted;
  private final Runnable deposed;
  private final Consumer<String> failed;
  private long answeredNanos;
  private String refusal = "it did not answer";

  /**
   * Begins with the term, whose own commit was answered just now.
   *
   * @param wanted whether the term lasts
   * @param failed receives why nothing could be written for longer than the lease
   */
  LeaderWrites(
      Loop loop,
      WriteProof proof,
      ElectionSettings settings,
      long fence,
      BooleanSupplier wanted,
      Runnable deposed,
      Consumer<String> failed) {
    this.loop = loop;
    this.proof = proof;
    this.settings = settings;
    this.fence = fence;
    this.wanted = wanted;
    this.deposed = deposed;
    this.failed = failed;
    answered();
    checkLater();
  }

  /** The state engine has answered a commit of this term. */
  void answered() {
    answeredNanos = loop.time().nanos();
  }

  private void checkLater() {
    var unused = loop.timeout(settings.renew(), () -> {
      if (wanted.getAsBoolean()) {
        check();
      }
    });
  }

  private void check() {
    Duration since = Duration.ofNanos(loop.time().nanos() - answeredNanos);
    if (since.compareTo(settings.lease().plus(settings.renew())) >= 0) {
      failed.accept(refusal);
      return;
    }
    checkLater();
    if (since.compareTo(settings.renew()) >= 0) {
      proof.ask(fence, this::probed, failure -> refusal = String.valueOf(failure.getMessage()));
    }
  }

  private void probed(Outcome outcome) {
    if (!wanted.getAsBoolean()) {
      return;
    }
    if (outcome instanceof Outcome.Refused) {
      deposed.run();
    } else {
      answered();
    }
  }
}
