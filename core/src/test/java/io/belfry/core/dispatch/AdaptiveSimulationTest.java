package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tasks arrive at random at uneven workers; the mean time from arrival to end is compared between strategies. */
class AdaptiveSimulationTest {
  private static final int TASKS = 20_000;
  private static final int CAPACITY = 4;
  private static final double SECOND = 1e9;

  /** How much of a job each worker does in a second: unequal machines, and a job that only the third runs fast. */
  private static final Map<String, double[]> SPEEDS =
      Map.of("plain", new double[] {4, 2, 1, 1}, "special", new double[] {1, 1, 6, 1});

  private record End(long nanos, Match<String> match, long took) {}

  @Test
  void on_uneven_workers_adaptive_finishes_sooner_than_least_tasks() {
    for (double load : List.of(0.3, 0.6, 0.8)) {
      for (boolean contended : List.of(false, true)) {
        double least = mean("least-tasks", load, contended);
        double adaptive = mean("adaptive", load, contended);
        System.out.printf(
            "adaptive: load %.1f, %s: least-tasks %.3f s, adaptive %.3f s, %.0f %% less%n",
            load,
            contended ? "slower when full" : "independent places",
            least,
            adaptive,
            100 * (1 - adaptive / least));
        assertThat(adaptive).isLessThan(0.9 * least);
      }
    }
  }

  @Test
  void on_even_workers_adaptive_is_about_as_good_as_least_tasks() {
    Map<String, double[]> even = Map.of("plain", new double[] {2, 2, 2, 2});
    for (boolean contended : List.of(false, true)) {
      double least = mean("least-tasks", 0.6, contended, even);
      double adaptive = mean("adaptive", 0.6, contended, even);
      System.out.printf(
          "adaptive: even workers: least-tasks %.3f s, adaptive %.3f s%n", least, adaptive);
      assertThat(adaptive).isLessThan(1.15 * least);
    }
  }

  private static double mean(String strategy, double load, boolean contended) {
    return mean(strategy, load, contended, SPEEDS);
  }

  private static double mean(
      String strategy, double load, boolean contended, Map<String, double[]> speeds) {
    var random = new SplittableRandom(4_711);
    Dispatcher<String> dispatcher = Given.dispatcher(strategy);
    for (int w = 0; w < 4; w++) {
      dispatcher.seen(Given.worker("w" + w, CAPACITY));
    }
    var jobs = speeds.keySet().stream().sorted().toList();
    int[] held = new int[4];
    var ends = new PriorityQueue<End>(Comparator.comparingLong(End::nanos));
    double arrivalsPerSecond = load * capacity(speeds);
    double[] sizes =
        random.doubles(TASKS).map(u -> Math.max(0.01, -Math.log(1 - u))).toArray();
    long arrival = 0;
    double sum = 0;
    int arrived = 0;
    int done = 0;
    while (done < TASKS) {
      long now;
      if (arrived < TASKS && (ends.isEmpty() || arrival <= ends.peek().nanos())) {
        now = arrival;
        String job = jobs.get(random.nextInt(jobs.size()));
        dispatcher.add(waiting(arrived++, job, now));
        arrival += (long) (exponential(random) / arrivalsPerSecond * SECOND);
      } else {
        End end = ends.remove();
        now = end.nanos();
        held[index(end.match())]--;
        dispatcher.ended(end.match().hold(), end.took());
        sum += (now - end.match().task().order()) / SECOND;
        done++;
      }
      for (var match : Given.drain(dispatcher, NOON, now)) {
        int w = index(match);
        double stretch = contended ? 1 + (double) held[w] / CAPACITY : 1;
        held[w]++;
        double size = sizes[(int) match.task().revision()] / (contended ? 1.5 : 1);
        long took =
            (long) (size * stretch / requireNonNull(speeds.get(match.task().job()))[w] * SECOND);
        ends.add(new End(now + took, match, took));
      }
    }
    return sum / TASKS;
  }

  /** Tasks a second if every slot is always in use and the jobs are assigned blindly. */
  private static double capacity(Map<String, double[]> speeds) {
    double sum = 0;
    for (int w = 0; w < 4; w++) {
      int worker = w;
      double seconds = speeds.values().stream()
          .mapToDouble(speed -> 1 / speed[worker])
          .average()
          .orElseThrow();
      sum += CAPACITY / seconds;
    }
    return sum;
  }

  private static int index(Match<String> match) {
    return match.worker().charAt(1) - '0';
  }

  private static WaitingTask<String> waiting(int number, String job, long now) {
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
        "");
  }

  private static double exponential(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble());
  }
}
