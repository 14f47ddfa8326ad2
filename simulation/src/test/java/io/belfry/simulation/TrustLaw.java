package io.belfry.simulation;

import io.belfry.core.election.ElectionSettings;
import io.belfry.core.keys.Keys;
import io.belfry.core.worker.WorkerSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Trust in a lease is what the answers make it. A worker begins nothing in a step that began after its trust had ended. Who has an answer
 * that its lease lasts, and whose loop is not delayed, neither interrupts its attempts nor gives up the lead. A worker whose loop was delayed reads what came meanwhile
 * before it interrupts anything.
 *
 * <p>Only for worlds in which nobody cancels, nothing times out and no clock is set: there nothing else interrupts or resigns.
 *
 * <p>Threading: confined to its world.
 */
final class TrustLaw implements EngineEar, Ledger.Ear {
  static final String NOTHING_AFTER = "I4 nothing begins after trust has ended";
  static final String NO_DOUBT = "I7 no spurious doubt";

  /** As the core has them: what a worker and a leader take off their leases. */
  private static final int WORKER_MARGIN = 5;

  private static final int LEADER_MARGIN = 10;

  /** How long an answer may take from the connection to the loop, and a decision from the loop to the code. */
  private static final Duration MOMENT = Duration.ofMillis(100);
  /** More than can be heard of a lease between two stalls that follow on each other. */
  private static final int ANSWERS_MAX = 50;
  /** After a stall answers wait in a row, and a new lease may have to be made. */
  private static final Duration DELAYED = WorkerSettings.of("any", 1).lease();

  /**
   * What the answers say of one lease.
   *
   * @param until the latest end of the trust, in the time of the world
   * @param surelyUntil its earliest end: who asks notes the time before, and its process may stand still between the two
   * @param settledUntil the earliest end by answers that the loop has surely heard of
   */
  private record Trust(long until, long surelyUntil, long settledUntil) {}

  /** An answer that came while trust lasted, and was surely in the mailbox from this moment on. */
  private record Answer(long there, long until) {}

  private final World world;
  private final Simulation simulation;
  private final Map<String, Trust> workers = new HashMap<>();
  private final Map<Long, Trust> leaders = new HashMap<>();
  private final Map<Object, Deque<Answer>> answers = new HashMap<>();

  TrustLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
    simulation.ledger().addEar(this);
  }

  @Override
  public void renewed(SimNode node, long lease, long began, long asked, Duration ttl) {
    boolean worker = !ttl.equals(ElectionSettings.DEFAULT.lease());
    Duration trust = ttl.minus(ttl.dividedBy(worker ? WORKER_MARGIN : LEADER_MARGIN));
    long length = node.time().worldNanos(trust.toNanos());
    if (worker) {
      heard(workers, node.id(), asked + length, began + length);
    } else {
      heard(leaders, lease, asked + length, began + length);
    }
  }

  private <K> void heard(Map<K, Trust> trusts, K of, long until, long surely) {
    Trust before = trusts.get(of);
    if (before != null && world.now() < before.surelyUntil) {
      note(of, surely);
    }
    trusts.merge(
        of,
        new Trust(until, surely, 0),
        (known, unused) -> new Trust(
            Math.max(known.until, until), Math.max(known.surelyUntil, surely), known.settledUntil));
    world.in(
        MOMENT,
        () -> trusts.computeIfPresent(
            of,
            (unused, now) ->
                new Trust(now.until, now.surelyUntil, Math.max(now.settledUntil, surely))));
  }

  private void note(Object of, long until) {
    Deque<Answer> latest = answers.computeIfAbsent(of, unused -> new ArrayDeque<>());
    latest.add(new Answer(world.now() + MOMENT.toNanos(), until));
    if (latest.size() > ANSWERS_MAX) {
      latest.remove();
    }
  }

  @Override
  public void started(Ledger.Line line, List<Ledger.Line> before) {
    Trust trust = workers.get(line.node.id());
    world.count("begins under trust");
    if (trust == null || line.node.stepBegan() >= trust.until) {
      throw world.violation(
          NOTHING_AFTER,
          line + " was decided at " + Duration.ofNanos(line.node.stepBegan()) + ", trusted until "
              + (trust == null ? "never" : Duration.ofNanos(trust.until)));
    }
  }

  @Override
  public void interrupted(Ledger.Line line) {
    Trust trust = workers.get(line.node.id());
    world.count("doubts");
    if (trust != null) {
      judge(line.node, line.node.id(), trust, line + " was interrupted");
    }
  }

  @Override
  public void gaveUp(SimNode node, long lease) {
    Trust trust = leaders.get(lease);
    EngineStep.Slot leader = simulation.engine().state().slots().get(Keys.LEADER);
    EngineStep.Slot fence = simulation.engine().state().slots().get(Keys.FENCE);
    boolean leads = leader != null
        && leader.lease() == lease
        && fence != null
        && CoreScenario.DECODER.term(fence.value()).leader().equals(node.id());
    if (trust != null
        && leads
        && !isDelayed(node)) { // a delayed one looks at its clock before its mail
      judge(node, lease, trust, node.id() + " gave up the lead");
    }
  }

  private void judge(SimNode node, Object of, Trust trust, String what) {
    boolean delayed = isDelayed(node);
    long until = delayed ? trustBefore(node.resumedAt(), of) : trust.settledUntil;
    if (node.now() < until - MOMENT.toNanos()) {
      throw world.violation(
          NO_DOUBT,
          what + " although its lease was trusted until " + Duration.ofNanos(until)
              + (delayed ? ", by an answer that was there when its process went on" : ""));
    }
  }

  private boolean isDelayed(SimNode node) {
    return node.standsStill() || world.now() - node.resumedAt() < DELAYED.toNanos();
  }

  /** What came during a stall is read before anything is concluded from silence. */
  private long trustBefore(long resumed, Object of) {
    return answers.getOrDefault(of, new ArrayDeque<>()).stream()
        .filter(answer -> answer.there <= resumed)
        .mapToLong(Answer::until)
        .max()
        .orElse(0);
  }
}
