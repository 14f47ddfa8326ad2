package io.belfry.core.leader.term;

import io.belfry.core.election.ClockGuard;
import io.belfry.core.loop.Loop;
import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The loop of a node as the leader of one term sees it. Every step that is posted, timed or answered through it runs only while the term
 * lasts. So no part of the leader asks whether it still leads.
 *
 * <p>A term ends when the election no longer trusts its lease, when the leader is deposed, or when the wall clock was set. Nothing is
 * decided by a clock that was just set: the check before each step gives up the lead instead.
 *
 * <p>Threading: as the loop below it.
 */
public final class TermLoop implements Loop {
  private final Loop loop;
  private final BooleanSupplier leads;
  private final ClockGuard clock;
  private final Runnable clockWasSet;
  private boolean over;

  /**
   * The loop of a term that has just begun.
   *
   * @param leads whether the election trusts the lease of this leader; once false, it stays false for this term
   * @param clockWasSet gives up the lead
   */
  public TermLoop(Loop loop, BooleanSupplier leads, Runnable clockWasSet) {
    this.loop = loop;
    this.leads = leads;
    this.clock = new ClockGuard(loop.time());
    this.clockWasSet = clockWasSet;
  }

  /** Ends the term for everything that was posted, timed or asked through this loop. */
  public void end() {
    over = true;
  }

  /** Whether the term lasts, by the election and by the clocks. */
  public boolean lasts() {
    return leads() && clockIsSteady();
  }

  private boolean leads() {
    return !over && leads.getAsBoolean();
  }

  private boolean clockIsSteady() {
    if (clock.isSteady()) {
      return true;
    }
    clockWasSet.run();
    return false;
  }

  private void run(Runnable step) {
    if (lasts()) {
      step.run();
    }
  }

  @Override
  public Time time() {
    return loop.time();
  }

  @Override
  public RandomGenerator random() {
    return loop.random();
  }

  @Override
  public void post(Runnable step) {
    loop.post(() -> run(step));
  }

  @Override
  public Timer after(Duration delay, Runnable step) {
    return loop.after(delay, () -> run(step));
  }

  /** Does the step soon: a record has changed, and the change has not reached this leader yet. */
  public void retry(Runnable step) {
    var unused = after(Backoff.SOON, step);
  }

  /** Does the step after a while: an operator has to repair a record first. */
  public void retryRarely(Runnable step) {
    var unused = after(Backoff.RARELY, step);
  }

  /** Asks the store until it answers. */
  public <T> void read(Supplier<CompletionStage<T>> question, Consumer<T> answer) {
    read(question, answer, Backoff.SOON);
  }

  private <T> void read(Supplier<CompletionStage<T>> question, Consumer<T> answer, Duration pause) {
    onResult(question.get(), answer, failure -> {
      if (!(failure instanceof StoreException.Closed)) {
        var unused = after(pause, () -> read(question, answer, Backoff.longer(pause)));
      }
    });
  }
}
