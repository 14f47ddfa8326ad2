package io.belfry.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every start and end of user code, written by the code itself: what really happened, whatever the store says.
 *
 * <p>Threading: confined to its world.
 */
final class Ledger {

  /** How code came to its end, as seen from outside. */
  enum End {
    RUNNING,
    RETURNED,
    /** The process was gone. */
    VANISHED
  }

  /** One run of user code. */
  static final class Line {
    final SimNode node;
    final String task;
    final int attempt;
    final long token;
    final long startedAt;
    End end = End.RUNNING;
    long endedAt = Long.MAX_VALUE;
    /** Whether it had been asked to stop. */
    boolean interrupted;

    long interruptedAt;

    Line(SimNode node, String task, int attempt, long token, long startedAt) {
      this.node = node;
      this.task = task;
      this.attempt = attempt;
      this.token = token;
      this.startedAt = startedAt;
    }

    boolean live() {
      return end == End.RUNNING;
    }

    @Override
    public String toString() {
      return task + " attempt " + attempt + " token " + token + " on " + node.id() + " " + end;
    }
  }

  /** Hears each line as it begins and as it ends. */
  interface Ear {
    void started(Line line, List<Line> before);

    default void interrupted(Line line) {}

    default void ended(Line line) {}
  }

  private final World world;
  private final Map<String, List<Line>> byTask = new LinkedHashMap<>();
  private final List<Ear> ears = new ArrayList<>();

  Ledger(World world) {
    this.world = world;
  }

  void addEar(Ear ear) {
    ears.add(ear);
  }

  Line start(SimNode node, String task, int attempt, long token) {
    var line = new Line(node, task, attempt, token, world.now());
    List<Line> lines = byTask.computeIfAbsent(task, t -> new ArrayList<>(1));
    world.note(node.id(), "starts", task);
    ears.forEach(ear -> ear.started(line, lines));
    lines.add(line);
    return line;
  }

  /** The code of a line that runs is asked to stop. */
  void interrupt(Line line) {
    line.interrupted = true;
    line.interruptedAt = world.now();
    world.note(line.node.id(), "interrupts", line.task);
    ears.forEach(ear -> ear.interrupted(line));
  }

  void end(Line line, End how) {
    if (line.live()) {
      line.end = how;
      line.endedAt = world.now();
      world.note(line.node.id(), how == End.VANISHED ? "loses" : "ends", line.task);
      ears.forEach(ear -> ear.ended(line));
    }
  }

  /** All runs of one task, in the order of their starts. */
  List<Line> of(String task) {
    return byTask.getOrDefault(task, List.of());
  }

  Collection<List<Line>> all() {
    return byTask.values();
  }

  List<Line> live() {
    return byTask.values().stream().flatMap(List::stream).filter(Line::live).toList();
  }
}
