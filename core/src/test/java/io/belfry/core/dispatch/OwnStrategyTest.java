package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static io.belfry.core.dispatch.Given.drain;
import static io.belfry.core.dispatch.Given.task;
import static io.belfry.core.dispatch.Given.worker;
import static io.belfry.core.dispatch.Given.workers;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OwnStrategyTest {
  private static List<String> given(Strategy own) {
    return given(() -> own);
  }

  private static List<String> given(Supplier<Strategy> own) {
    Strategies all = Strategies.builtIn().with("own", own);
    Dispatcher<String> dispatcher =
        Dispatcher.first(all.make("own"), Dispatcher.DEFAULT_STEP, new SplittableRandom(1));
    dispatcher.seen(worker("a", 2));
    dispatcher.seen(worker("b", 2));
    for (int i = 0; i < 4; i++) {
      dispatcher.add(task("t" + i));
    }
    return workers(drain(dispatcher, NOON, 0));
  }

  @Test
  void is_asked_for_every_task() {
    assertThat(given((candidates, task, random) -> candidates.get(candidates.size() - 1)))
        .containsExactly("b", "b", "a", "a");
  }

  @Test
  void that_throws_stops_nobody() {
    var broken = new Strategy() {
      @Override
      public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
        throw new IllegalStateException("on purpose");
      }
    };
    assertThat(given(broken)).containsExactlyInAnyOrder("a", "a", "b", "b");
  }

  @Test
  void that_ends_in_an_error_stops_nobody() {
    var broken = new Strategy() {
      @Override
      public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
        throw new NoClassDefFoundError("on purpose");
      }

      @Override
      public void ran(Candidate worker, String job, long tookNanos) {
        throw new AssertionError("on purpose");
      }

      @Override
      public void left(Candidate worker) {
        throw new AssertionError("on purpose");
      }

      @Override
      public void reset() {
        throw new AssertionError("on purpose");
      }
    };
    assertThat(given(broken)).containsExactlyInAnyOrder("a", "a", "b", "b");
    Strategy careful = Strategies.builtIn().with("own", () -> broken).make("own");
    PoolWorker worker = new PoolWorker(worker("a", 2), 0, 0);
    careful.ran(worker, "job", 1);
    careful.left(worker);
    careful.reset();
  }

  @Test
  void that_cannot_be_made_stops_nobody() {
    Supplier<Strategy> throwing = () -> {
      throw new ExceptionInInitializerError("on purpose");
    };
    assertThat(given(throwing)).containsExactly("a", "b", "a", "b");
  }

  @Test
  void that_names_somebody_else_stops_nobody() {
    var foreign = new Strategy() {
      private @Nullable Candidate first;

      @Override
      public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
        first = first == null ? candidates.get(0) : first;
        return first; // full after two
      }
    };
    assertThat(given(foreign)).containsExactlyInAnyOrder("a", "a", "b", "b");
  }
}
