package io.belfry.simulation;

import io.belfry.core.worker.Launcher;
import io.belfry.model.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out scripts instead of user code. A body stands still while its process does, and vanishes with it.
 *
 * <p>Threading: confined to its world.
 */
final class SimLauncher implements Launcher {
  private final SimNode node;
  private final World world;
  private final Ledger ledger;
  private final Script script;
  private final RandomGenerator random;
  private final List<Run> running = new ArrayList<>();

  SimLauncher(SimNode node, Ledger ledger, Script script) {
    this.node = node;
    this.world = node.world();
    this.ledger = ledger;
    this.script = script;
    this.random = world.dice();
    node.whenGone(() -> List.copyOf(running).forEach(run -> run.over(Ledger.End.VANISHED)));
  }

  @Override
  public Started start(Task task, Consumer<Ending> ended) {
    node.moment();
    Run run = new Run(task, script.body(task, random), ended);
    if (node.now() == world.now()) {
      run.begin();
    } else {
      world.at(node.now(), run::begin); // the step that starts it has not come so far
    }
    return run;
  }

  private final class Run implements Started {
    private final Task task;
    private final Script.Body body;
    private final Consumer<Ending> ended;
    private Ledger.@Nullable Line line;
    private boolean interruptedEarly;
    private long startedAt;
    private long pausedAtStart;
    private long needed;

    Run(Task task, Script.Body body, Consumer<Ending> ended) {
      this.task = task;
      this.body = body;
      this.ended = ended;
      this.needed = body.length().toNanos();
    }

    void begin() {
      if (!node.alive()) {
        return;
      }
      line =
          ledger.start(node, task.id().toString(), task.attempts(), task.token().value());
      startedAt = world.now();
      pausedAtStart = node.pausedNanos();
      running.add(this);
      lookAt(leftNanos());
      if (interruptedEarly) {
        interrupt();
      }
    }

    private boolean live() {
      return line != null && line.live();
    }

    /** How much of it is still to run, not counting what the process stood still. */
    long leftNanos() {
      long ran = world.now() - startedAt - (node.pausedNanos() - pausedAtStart);
      return needed - ran;
    }

    void lookAt(long inNanos) {
      world.in(inNanos, this::look);
    }

    private void look() {
      if (!live()) {
        return;
      }
      long left = leftNanos();
      if (left > 0 || node.paused()) {
        // A pause has made it longer: it is looked at again when it could be over.
        lookAt(Math.max(left, 10_000_000));
        return;
      }
      over(Ledger.End.RETURNED);
      node.arrive(() -> ended.accept(body.ending()));
    }

    void over(Ledger.End how) {
      running.remove(this);
      ledger.end(Objects.requireNonNull(line), how);
    }

    @Override
    public void interrupt() {
      Ledger.Line begun = line;
      if (begun == null) {
        interruptedEarly = true;
      } else if (begun.live() && !begun.interrupted) {
        ledger.interrupt(begun);
        long deaf = body.deaf().toNanos();
        if (deaf < leftNanos()) {
          startedAt = world.now();
          pausedAtStart = node.pausedNanos();
          needed = deaf;
          lookAt(deaf);
        }
      }
    }
  }
}
