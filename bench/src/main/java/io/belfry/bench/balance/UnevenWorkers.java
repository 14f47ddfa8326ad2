package io.belfry.bench.balance;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Match;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.dispatch.WaitingTask;
import io.belfry.core.record.WorkerRecord;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Simulates four workers with capacity four. For the plain job, one is twice and one four times as fast as the slow ones; only the third
 * one is fast at the special job. Arrivals are random and task sizes are exponentially distributed.
 *
 * <p>Threading: confined to its caller.
 */
final class UnevenWorkers {
  private static final int TASKS = 20_000;
  private static final int PLACES = 4;
  private static final double SECOND = 1e9;
  private static final double SMALLEST = 0.01;
  private static final double CROWDED = 1.5;
  private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
  private static final List<String> JOBS = List.of("plain", "special");
  private static final double[][] SPEEDS = {{4, 2, 1, 1}, {1, 1, 6, 1}};

  private record End(long nanos, Match<Integer> match, long took) {}

  private final SplittableRandom random;
  private final boolean contended;
  private final Dispatcher<Integer> dispatcher;
  private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingLong(End::nanos));
  private final int[] held = new int[PLACES];

  /**
   * Idle workers.
   *
   * @param contended whether a worker slows down with the number of its tasks
   */
  UnevenWorkers(String strategy, long seed, boolean contended) {
    this.random = new SplittableRandom(seed);
    this.contended = contended;
    this.dispatcher = Dispatcher.first(
        Strategies.builtIn().make(strategy), Dispatcher.DEFAULT_STEP, random.split());
    for (int w = 0; w < SPEEDS[0].length; w++) {
      dispatcher.seen(worker("w" + w));
    }
  }

  /** The mean time from arrival to end, at this share of the workers' total throughput. */
  double meanSeconds(double load) {
    double[] sizes =
        random.doubles(TASKS).map(u -> Math.max(SMALLEST, -Math.log(1 - u))).toArray();
    long[] arrivals = new long[TASKS];
    long arrival = 0;
    int arrived = 0;
    double sum = 0;
    for (int done = 0; done < TASKS; ) {
      long now;
      if (arrived < TASKS && (ends.isEmpty() || arrival <= ends.peek().nanos)) {
        now = arrival;
        arrivals[arrived] = now;
        dispatcher.add(waiting(arrived++, JOBS.get(random.nextInt(JOBS.size())), now));
        arrival += (long) (-Math.log(1 - random.nextDouble()) / (load * perSecond()) * SECOND);
      } else {
        End end = ends.remove();
        now = end.nanos;
        held[place(end.match)]--;
        dispatcher.ended(end.match.hold(), end.took);
        sum += (now - arrivals[end.match.task().body()]) / SECOND;
        done++;
      }
      begin(sizes, now);
    }
    return sum / TASKS;
  }

  private void begin(double[] sizes, long now) {
    for (Optional<Match<Integer>> next = dispatcher.next(NOON, now);
        next.isPresent();
        next = dispatcher.next(NOON, now)) {
      Match<Integer> match = next.get();
      int w = place(match);
      double stretch = contended ? (1 + (double) held[w] / PLACES) / CROWDED : 1;
      held[w]++;
      double speed = SPEEDS[JOBS.indexOf(match.task().job())][w];
      long took = (long) (sizes[match.task().body()] * stretch / speed * SECOND);
      ends.add(new End(now + took, match, took));
    }
  }

  /** Tasks per second if all capacity is always used and tasks are assigned at random. */
  private static double perSecond() {
    double sum = 0;
    for (int w = 0; w < SPEEDS[0].length; w++) {
      sum += PLACES / ((1 / SPEEDS[0][w] + 1 / SPEEDS[1][w]) / 2);
    }
    return sum;
  }

  private static int place(Match<Integer> match) {
    return match.worker().charAt(1) - '0';
  }

  private static WorkerRecord worker(String id) {
    return new WorkerRecord(
        id,
        id,
        "",
        Map.of(),
        Set.of(),
        1,
        PLACES,
        true,
        true,
        false,
        NOON,
        NOON,
        1,
        WorkerRecord.Load.NONE,
        List.of());
  }

  private static WaitingTask<Integer> waiting(int number, String job, long now) {
    return new WaitingTask<>(
        TaskId.parse("t" + number),
        number,
        Priority.NORMAL,
        NOON,
        "default",
        Map.of(),
        Limit.NONE,
        "",
        "",
        job,
        now,
        number);
  }
}
