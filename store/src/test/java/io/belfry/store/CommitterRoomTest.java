package io.belfry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What waits for the store is bounded, in number and in bytes. */
class CommitterRoomTest {
  private static final Space SPACE = Space.plain("s");
  private static final BatchRule ONE_AWAY = new BatchRule(10, 10, 100, 10_000, 1, 1, false);

  /** An engine that answers the oldest batch when it is told to. */
  private static final class Engine implements Committer.Sender {
    final ArrayDeque<Runnable> answers = new ArrayDeque<>();

    @Override
    public CompletionStage<List<Outcome>> send(List<Commit> batch) {
      var reply = new CompletableFuture<List<Outcome>>();
      answers.add(() -> reply.complete(
          batch.stream().<Outcome>map(commit -> new Outcome.Done(1)).toList()));
      return reply;
    }
  }

  private final Engine engine = new Engine();
  private final Committer committer = new Committer(ONE_AWAY, engine);

  private static Commit put(int bytes) {
    return Commit.when().put(Key.of(SPACE, "a"), new byte[bytes]).build();
  }

  private CompletableFuture<Outcome> commit(Commit commit) {
    return committer.commit(commit).toCompletableFuture();
  }

  private static void assertRefused(CompletableFuture<Outcome> call, String bound) {
    assertThat(call).isCompletedExceptionally();
    assertThatThrownBy(call::join)
        .hasCauseInstanceOf(StoreException.Overloaded.class)
        .hasMessageContaining(bound)
        .hasMessageContaining("Try again later");
  }

  @Test
  void too_many_waiting_are_refused_as_overload() {
    Commit one = put(1);
    for (int i = 0; i <= Limits.WAITING_MAX; i++) {
      var unused = committer.commit(one);
    }
    assertRefused(commit(one), Limits.WAITING_MAX + " commits");
  }

  @Test
  void too_many_bytes_waiting_are_refused_as_overload_until_some_have_left() {
    Commit large = put(1 << 20);
    var accepted = new ArrayList<CompletableFuture<Outcome>>();
    CompletableFuture<Outcome> last = commit(large);
    while (!last.isDone() && accepted.size() < Limits.WAITING_MAX) {
      accepted.add(last);
      last = commit(large);
    }
    assertRefused(last, Limits.WAITING_BYTES_MAX + " bytes");
    long one = large.bytes();
    assertThat((accepted.size() - 1) * one)
        .as("all but the first wait, which has left")
        .isBetween(Limits.WAITING_BYTES_MAX - one, Limits.WAITING_BYTES_MAX);

    engine.answers.remove().run();
    assertThat(commit(large)).as("as large as what has left").isNotDone();
    assertRefused(commit(large), Limits.WAITING_BYTES_MAX + " bytes");
    while (!engine.answers.isEmpty()) {
      engine.answers.remove().run();
    }
    assertThat(accepted).allMatch(each -> each.join() instanceof Outcome.Done);
  }
}
