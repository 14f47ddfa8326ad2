package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.WorkerRecord.Load;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.task.TaskId;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class AgainstNaiveModelTest {
  private static final Duration STEP = Duration.ofMillis(700);
  private static final List<Priority> PRIORITIES = List.of(Priority.values());
  private static final List<String> QUEUES = List.of("a", "b", "c");
  private static final List<Map<String, String>> LABELS =
      List.of(Map.of(), Map.of("zone", "eu"), Map.of("zone", "us"), Map.of("gpu", "yes"));
  private static final Rate THREE_A_SECOND = new Rate(3, Rate.Unit.SECOND);

  @Test
  void the_match_is_always_the_best_takeable_task_and_nothing_takeable_waits() {
    long[] matches = new long[1];
    Seeds.each(150, random -> matches[0] += new Run(random).go());
    System.out.println("against the naive model: " + matches[0] + " matches compared");
    assertThat(matches[0]).isPositive();
  }

  private static final class Run {
    private final RandomGenerator random;
    private final Dispatcher<String> dispatcher;
    private final NaiveModel model = new NaiveModel(STEP);
    private Instant now = NOON;
    private long nanos =
        Long.MAX_VALUE - 1_000_000_000L; // wraps during the run, as a stopwatch may
    private long start = nanos;
    private long order;
    private long matches;

    Run(RandomGenerator random) {
      this.random = random;
      var names = List.copyOf(Strategies.builtIn().names());
      String name = names.get(random.nextInt(names.size()));
      this.dispatcher = Dispatcher.first(Strategies.builtIn().make(name), STEP, random);
    }

    long go() {
      for (int i = 0; i < 400; i++) {
        doSomething();
        if (random.nextInt(3) > 0) {
          compare(random.nextInt(6));
        }
      }
      compare(Integer.MAX_VALUE);
      return matches;
    }

    private void doSomething() {
      switch (random.nextInt(14)) {
        case 0, 1, 2, 3, 4 -> add();
        case 5, 6 -> release();
        case 7 -> seen();
        case 8 -> left();
        case 9 -> pauseOrResume();
        case 10 -> prioritise();
        case 11 -> remove();
        case 12 -> undo();
        default -> advance();
      }
    }

    /** The model's monotonic clock starts at zero, so that it need not handle wrapping. */
    private long modelNanos() {
      return nanos - start;
    }

    private void compare(int most) {
      for (int i = 0; i < most; i++) {
        Optional<WaitingTask<String>> expected = model.best(now, modelNanos());
        Optional<Match<String>> match = dispatcher.next(now, nanos);
        assertThat(match.map(m -> m.task().body())).isEqualTo(expected.map(WaitingTask::body));
        if (match.isEmpty()) {
          break;
        }
        assertThat(match.get().task()).isEqualTo(expected.get());
        assertThat(model.mayTake(match.get().worker(), match.get().task())).isTrue();
        model.take(atModelTime(match.get()));
        matches++;
      }
      assertThat(dispatcher.size()).isEqualTo(model.waiting.size());
    }

    private Match<String> atModelTime(Match<String> match) {
      return new Match<>(match.task(), match.worker(), match.nanos() - start);
    }

    private Match<String> atRealTime(Match<String> match) {
      return new Match<>(match.task(), match.worker(), match.nanos() + start);
    }

    private void add() {
      String key = "k" + random.nextInt(6);
      var task = Given.task(
          "t" + order,
          anyPriority(),
          now.plusMillis(random.nextInt(3_000) - 2_000),
          QUEUES.get(random.nextInt(QUEUES.size())),
          random.nextBoolean() ? Map.of() : LABELS.get(random.nextInt(LABELS.size())),
          limitOf(key),
          key);
      task = Given.arrived(task, order++);
      dispatcher.add(task);
      model.waiting.put(task.body(), task);
    }

    private Limit limitOf(String key) {
      return switch (key) {
        case "k0" -> Limit.concurrency(1);
        case "k1" -> Limit.concurrency(random.nextBoolean() ? 1 : 3); // an edit under way
        case "k2" -> Limit.rate(THREE_A_SECOND);
        case "k3" -> new Limit(Optional.of(2), Optional.of(THREE_A_SECOND), Optional.empty());
        default -> Limit.NONE;
      };
    }

    private Priority anyPriority() {
      return PRIORITIES.get(random.nextInt(PRIORITIES.size()));
    }

    private void release() {
      if (!model.held.isEmpty()) {
        var match = model.held.remove(random.nextInt(model.held.size()));
        if (random.nextBoolean()) {
          dispatcher.released(match.hold());
        } else {
          dispatcher.ended(match.hold(), random.nextInt(1_000_000));
        }
      }
    }

    private void seen() {
      var worker = Given.worker(
          "w" + random.nextInt(5),
          random.nextInt(5),
          random.nextBoolean() ? Set.of() : Set.of(QUEUES.get(random.nextInt(2)), "c"),
          LABELS.get(random.nextInt(LABELS.size())),
          random.nextInt(5) > 0,
          1 + random.nextInt(4),
          new Load(random.nextDouble(), random.nextDouble(), 0, random.nextInt(9)),
          random.nextInt(3));
      dispatcher.seen(worker);
      model.workers.put(worker.id(), worker);
    }

    private void left() {
      if (random.nextInt(3) == 0) {
        String id = "w" + random.nextInt(5);
        dispatcher.left(id);
        model.workers.remove(id);
      }
    }

    private void pauseOrResume() {
      String queue = QUEUES.get(random.nextInt(QUEUES.size()));
      if (random.nextInt(3) == 0) {
        dispatcher.pause(queue);
        model.paused.add(queue);
      } else {
        dispatcher.resume(queue);
        model.paused.remove(queue);
      }
    }

    private void prioritise() {
      anyWaiting().ifPresent(task -> {
        var changed = task.with(anyPriority(), task.revision() + 1);
        dispatcher.prioritise(task.id(), changed.priority(), changed.revision());
        model.waiting.put(task.body(), changed);
      });
    }

    private void remove() {
      anyWaiting().ifPresent(task -> {
        assertThat(dispatcher.remove(TaskId.parse(task.body()))).contains(task);
        model.waiting.remove(task.body());
      });
    }

    private Optional<WaitingTask<String>> anyWaiting() {
      var all = List.copyOf(model.waiting.values());
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void undo() {
      if (!model.held.isEmpty()) {
        var match = model.held.get(random.nextInt(model.held.size()));
        if (modelNanos() - match.nanos() < Duration.ofSeconds(1).toNanos()) {
          dispatcher.undo(atRealTime(match));
          model.undo(match);
        }
      }
    }

    private void advance() {
      long millis = random.nextInt(500);
      now = now.plusMillis(millis);
      nanos += Duration.ofMillis(millis).toNanos();
    }
  }
}
