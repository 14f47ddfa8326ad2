package io.belfry.core.dispatch;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Learns how long a job takes on each worker, and prefers the earliest expected finish.
 *
 * <p>A worker with credit starts a task at once, so the expected finish is the run time learned for this job on that worker, scaled
 * by how full the worker is (empty ×1, full ×2). The run time is learned without that factor: as the plain mean of the
 * first {@value #RUNS} runs, and from then on as an exponentially weighted mean in which the latest run weighs 1/{@value #RUNS}. So a
 * worker twice as fast is filled first, and equally fast ones share. A worker on which the job has not run yet counts as average;
 * a job that has not run at all goes to the worker with the fewest tasks. One task in {@value #EXPLORE} goes to any candidate, to
 * find workers that have become faster. Under overload only one worker has credit at a time, and there is nothing to choose.
 *
 * <p>Memory: the {@value #JOBS_MAX} jobs that ran most recently, each 5 bytes per worker. Threading: confined to the leader loop.
 */
final class Adaptive implements Strategy {
  private static final int RUNS = 20;
  private static final int EXPLORE = 64;
  private static final int JOBS_MAX = 1_000;
  private static final int SEATS = 16;
  private static final float LOAD_FACTOR = 0.75f;

  /** Run times of one job in nanoseconds, and the number of runs (up to {@link #RUNS}) behind each mean. */
  private static final class Learned {
    float average;
    int runs;
    float[] meanAt = new float[SEATS];
    byte[] runsAt = new byte[SEATS];

    float at(int seat) {
      return seat < runsAt.length && runsAt[seat] > 0 ? meanAt[seat] : average;
    }

    void learn(int seat, float took) {
      if (seat >= runsAt.length) {
        meanAt = Arrays.copyOf(meanAt, 2 * seat);
        runsAt = Arrays.copyOf(runsAt, 2 * seat);
      }
      runsAt[seat] = (byte) Math.min(RUNS, runsAt[seat] + 1);
      meanAt[seat] += (took - meanAt[seat]) / runsAt[seat];
      runs = Math.min(RUNS, runs + 1);
      average += (took - average) / runs;
    }

    void forget(int seat) {
      if (seat < runsAt.length) {
        runsAt[seat] = 0;
        meanAt[seat] = 0;
      }
    }
  }

  private final Map<String, Learned> jobs = new LinkedHashMap<>(SEATS, LOAD_FACTOR, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Learned> eldest) {
      return size() > JOBS_MAX;
    }
  };

  int jobsKnown() {
    return jobs.size();
  }

  @Override
  public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
    Learned learned = jobs.get(task.job());
    if (learned == null) {
      return Comparisons.of(candidates, Comparisons::heldLess);
    }
    if (random.nextInt(EXPLORE) == 0) {
      return candidates.get(random.nextInt(candidates.size()));
    }
    return earliest(candidates, learned);
  }

  private static Candidate earliest(Candidates candidates, Learned learned) {
    Candidate best = candidates.get(0);
    double soonest = finish(best, learned);
    for (int i = 1; i < candidates.size(); i++) {
      Candidate next = candidates.get(i);
      double finish = finish(next, learned);
      if (finish < soonest || (finish == soonest && Comparisons.heldLess(next, best))) {
        best = next;
        soonest = finish;
      }
    }
    return best;
  }

  private static double finish(Candidate worker, Learned learned) {
    return learned.at(worker.seat()) * (1 + worker.fullness());
  }

  @Override
  public void ran(Candidate worker, String job, long tookNanos) {
    float alone = (float) (Math.max(1, tookNanos) / (1 + Math.min(1, worker.fullness())));
    jobs.computeIfAbsent(job, unused -> new Learned()).learn(worker.seat(), alone);
  }

  @Override
  public void left(Candidate worker) {
    jobs.values().forEach(learned -> learned.forget(worker.seat()));
  }

  @Override
  public void reset() {
    jobs.clear();
  }
}
