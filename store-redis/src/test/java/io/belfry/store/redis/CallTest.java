package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.StoreException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** A call is completed whatever its answer does to whoever reads it. */
class CallTest {
  private record Unreadable(Runnable thrower) implements ScriptCall<String> {
    @Override
    public Scripts verb() {
      return Scripts.COMMIT;
    }

    @Override
    public void arguments(List<byte[]> into) {}

    @Override
    public String read(List<?> reply) {
      thrower.run();
      return "read";
    }
  }

  private static void assertUnknown(Runnable thrower) {
    var call = new Call<>(new Unreadable(thrower), Call.Effect.ONCE, null, 0);
    call.complete(List.of());
    assertThat(call.isDone()).isTrue();
    assertThatThrownBy(() -> call.answer().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.Unknown.class);
  }

  @Test
  void an_answer_that_cannot_be_read_is_unknown() {
    assertUnknown(() -> {
      throw new IllegalStateException("on purpose");
    });
  }

  /** Otherwise it would be in no place any more, and nobody would ever complete it. */
  @Test
  void also_when_reading_it_ends_in_an_error() {
    assertUnknown(() -> {
      throw new StackOverflowError("on purpose");
    });
  }
}
