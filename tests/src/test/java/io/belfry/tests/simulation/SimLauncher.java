package io.belfry.tests.simulation;

import io.belfry.core.work.Launcher;
import io.belfry.model.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

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
    Ledger.Line line =
        ledger.start(node, task.id().toString(), task.attempts(), task.token().value());
    var run = new Run(line, script.body(task, random), ended);
    running.add(run);
    run.lookAt(run.leftNanos());
    return run;
  }

  private final class Run implements Started {
    private final Ledger.Line line;
    private final Script.Body body;
    private final Consumer<Ending> ended;
    private long startedAt = world.now();
    private long pausedAtStart = node.pausedNanos();
    private long needed;

    Run(Ledger.Line line, Script.Body body, Consumer<Ending> ended) {
      this.line = line;
      this.body = body;
      this.ended = ended;
      this.needed = body.length().toNanos();
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
      if (!line.live()) {
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
      ledger.end(line, how);
    }

    @Override
    public void interrupt() {
      if (line.live() && !line.interrupted) {
        line.interrupted = true;
        line.interruptedAt = world.now();
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
