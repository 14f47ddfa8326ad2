package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.simulation.EngineStep.Slot;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Space;
import io.belfry.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What must hold in every world, told from what the engine did and from what the ledger says; numbered as in the architecture.
 *
 * <p>Steps are judged when they have settled: what a failover takes back never happened. Scenarios add laws of their own as
 * {@link EngineEar}s, as {@link Ledger.Ear}s, after every step ({@link World#afterEachStep}) and {@linkplain #atEnd at the end}.
 *
 * <p>Threading: confined to its world.
 */
final class Laws implements EngineEar, Ledger.Ear {

  /** How the records of a scenario are read. */
  interface Decoder {
    /** The fence's record. */
    TermView term(byte[] value);

    /** Who holds a live task, under which token; empty while nobody does. */
    Optional<HolderView> holder(byte[] value, long revision);

    /** A task's record, for people. */
    default String show(byte[] value) {
      return value.length + " bytes";
    }

    /** Whether a task was never tried, and is not to be before this instant, as was said when it was made. */
    default boolean isYetToCome(byte[] value, Instant now) {
      return false;
    }

    /** Whether a task that nobody holds is not to be tried before this instant. */
    default boolean waitsBeyond(byte[] value, Instant now) {
      return false;
    }

    /** When the task was to be tried for the first time. */
    default Instant due(byte[] value) {
      return Instant.MIN;
    }

    /** Tasks that this commit ends without saying that their code had succeeded. */
    default Set<String> endedWithoutSuccess(Commit commit) {
      return Set.of();
    }
  }

  record TermView(long number, String leader) {}

  record HolderView(String worker, long token) {}

  private final World world;
  private final SimEngine engine;
  private final Ledger ledger;
  private final Decoder decoder;
  private final Set<Space> leaderOnly;
  private final Set<Key> tasksEver = new HashSet<>();
  private final Map<String, Set<Long>> writes = new HashMap<>();
  private final Map<Long, TermView> termsByRevision = new HashMap<>();
  private final List<Supplier<Optional<String>>> atEnd = new ArrayList<>();
  private @Nullable TermView term;
  private long settled;

  /**
   * @param leaderOnly spaces that nobody but the leader of the current term writes
   */
  Laws(World world, SimEngine engine, Ledger ledger, Decoder decoder, Set<Space> leaderOnly) {
    this.world = world;
    this.engine = engine;
    this.ledger = ledger;
    this.decoder = decoder;
    this.leaderOnly = leaderOnly;
    engine.addEar(this);
    ledger.addEar(this);
  }

  /** A complaint at the end of the run, when there is one. */
  void atEnd(Supplier<Optional<String>> complaint) {
    atEnd.add(complaint);
  }

  /** How many steps were judged: a world in which nothing happens keeps every law. */
  long settledSteps() {
    return settled;
  }

  int tasksEver() {
    return tasksEver.size();
  }

  @Override
  public void settled(EngineStep step) {
    settled++;
    for (Commit commit : step.commits()) {
      byItsLeader(step, commit);
      changesOfHeld(step, commit);
      acceptedEnds(step, commit);
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.Put put) {
        put(step, put);
      } else if (change.key().space().equals(Keys.JOBS)) {
        // One that is created again under the id is another job: each of its instants has one task.
        String fires = change.key().text() + "@";
        tasksEver.removeIf(task -> task.text().startsWith(fires));
      } else if (change.key().equals(Keys.FENCE)) {
        throw world.violation("I5 terms only grow", step.by() + " deleted the fence");
      }
    }
  }

  private void put(EngineStep step, Change.Put put) {
    Key key = put.key();
    if (key.equals(Keys.FENCE)) {
      TermView next = decoder.term(put.entry().value());
      if (term != null && next.number() <= term.number()) {
        throw world.violation("I5 terms only grow", next + " came after " + term);
      }
      if (!next.leader().equals(step.by())) {
        throw world.violation("I5 one leader's writes per term", step.by() + " made " + next);
      }
      term = next;
      termsByRevision.put(step.revision(), next);
      world.note(step.by(), "leads by term", next.number());
    } else if (key.space().equals(Keys.TASKS)) {
      if (step.before(key) == null && !tasksEver.add(key)) {
        throw world.violation(
            "I1 one task per fire", step.by() + " created " + key + " a second time");
      }
      writes.computeIfAbsent(key.text(), k -> new HashSet<>(4)).add(step.revision());
    }
  }

  private void byItsLeader(EngineStep step, Commit commit) {
    boolean writesTheFence = false;
    boolean needsTheFence = false;
    for (Write write : commit.writes()) {
      writesTheFence |= write.key().equals(Keys.FENCE);
      needsTheFence |= leaderOnly.contains(write.key().space());
    }
    TermView fence = null;
    for (Guard guard : commit.guards()) {
      if (guard instanceof Guard.Holds holds && holds.key().equals(Keys.FENCE)) {
        fence = termsByRevision.get(holds.revision());
      }
    }
    if (needsTheFence && fence == null) {
      fence = term;
    }
    if (fence != null && !writesTheFence && !fence.leader().equals(step.by())) {
      throw world.violation(
          "I5 one leader's writes per term", step.by() + " wrote " + keys(commit) + " in " + fence);
    }
  }

  /** Without the fence nobody changes a task that is held but its holder, who does not give it to others or another token. */
  private void changesOfHeld(EngineStep step, Commit commit) {
    if (isFenced(commit)) {
      return;
    }
    for (Write write : commit.writes()) {
      Slot before = write.key().space().equals(Keys.TASKS) ? step.before(write.key()) : null;
      if (before == null) {
        continue;
      }
      decoder.holder(before.value(), before.revision()).ifPresent(holder -> {
        Optional<HolderView> after = write instanceof Write.Put put
            ? decoder.holder(put.value(), step.revision())
            : Optional.empty();
        boolean keeps = after.isEmpty() || after.get().equals(holder);
        if (!holder.worker().equals(step.by()) || !keeps) {
          throw world.violation(
              "I3 only its holder changes a task",
              step.by() + " wrote " + write.key() + ", held by " + holder + ", then by " + after);
        }
      });
    }
  }

  private static boolean isFenced(Commit commit) {
    return commit.guards().stream().anyMatch(Guard.Holds.class::isInstance);
  }

  /** A task deleted without the fence was ended by its worker, which must hold the newest token. */
  private void acceptedEnds(EngineStep step, Commit commit) {
    if (isFenced(commit)) {
      return;
    }
    for (Write write : commit.writes()) {
      Slot before = write.key().space().equals(Keys.TASKS) && write instanceof Write.Delete
          ? step.before(write.key())
          : null;
      if (before != null) {
        HolderView holder = decoder
            .holder(before.value(), before.revision())
            .orElseThrow(() -> world.violation(
                "I3 no result under an old token",
                step.by() + " ended " + write.key() + ", which nobody held"));
        if (!decoder.endedWithoutSuccess(commit).contains(write.key().text())) {
          acceptedEnd(step, write.key(), holder);
        }
      }
    }
  }

  private void acceptedEnd(EngineStep step, Key task, HolderView holder) {
    boolean ran = false;
    for (Ledger.Line line : ledger.of(task.text())) {
      ran |= line.node.id().equals(step.by()) && line.token == holder.token() && !line.live();
    }
    if (!ran) {
      throw world.violation(
          "I3 no result under an old token",
          step.by() + " ended " + task + ", held by " + holder + "; it ran "
              + ledger.of(task.text()));
    }
  }

  @Override
  public void started(Ledger.Line line, List<Ledger.Line> before) {
    if (!writes.getOrDefault(line.task, Set.of()).contains(line.token)) {
      throw world.violation(
          "I1 nothing runs that the store never heard of",
          line + " started, but no settled step gave it out");
    }
    for (Ledger.Line other : before) {
      if (other.token == line.token) {
        throw world.violation("I4 one attempt per token", line + " started although " + other);
      }
      if (other.token > line.token && other.node == line.node) {
        throw world.violation("I4 tokens only grow", line + " started after " + other);
      }
    }
  }

  /** Tasks that are not done although their time has come, by their keys. */
  private Map<Key, Slot> unfinished() {
    Instant now = SimTime.BEGINNING.plusNanos(world.now());
    var unfinished = new LinkedHashMap<Key, Slot>();
    engine.state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.TASKS) && !decoder.isYetToCome(slot.value(), now)) {
        unfinished.put(key, slot);
      }
    });
    return unfinished;
  }

  /** Whether some tasks are not done, all of which came due after this instant only: they need a moment more. */
  boolean onlyLatelyDue(Instant since) {
    Map<Key, Slot> unfinished = unfinished();
    return !unfinished.isEmpty()
        && unfinished.values().stream()
            .allMatch(slot -> decoder.due(slot.value()).isAfter(since));
  }

  /** The storm is long over: nothing may be left undone. */
  void checkEnd() {
    unfinished().forEach((key, slot) -> {
      throw world.violation(
          "I7 everything recovers",
          key + " is still unfinished: " + decoder.show(slot.value()) + "; it ran "
              + ledger.of(key.text()));
    });
    if (!ledger.live().isEmpty()) {
      throw world.violation("I7 everything recovers", "code still runs: " + ledger.live());
    }
    for (Supplier<Optional<String>> each : atEnd) {
      each.get().ifPresent(complaint -> {
        throw world.violation("I7 everything recovers", complaint);
      });
    }
  }

  private static String keys(Commit commit) {
    return commit.writes().stream()
        .map(write -> write.key().toString())
        .toList()
        .toString();
  }
}
