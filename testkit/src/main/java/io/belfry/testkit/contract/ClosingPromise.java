package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A store closes cleanly: every pending call completes, and later calls fail. */
public interface ClosingPromise extends Subject {

  @Test
  default void a_closed_store_says_so() {
    store().close();
    store().close();
    assertThatThrownBy(() ->
            answer(store().commit(Commit.when().put(key(PLAIN, "a"), bytes("1")).build())))
        .isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> answer(store().get(List.of(key(PLAIN, "a")))))
        .isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> answer(store().scan(Scan.all(ORDERED))))
        .isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> answer(store().grant(Duration.ofSeconds(5))))
        .isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> answer(store().renew(1))).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> store().watch(Feed.of(WATCHED), Watch.NOW, new WatchProbe()))
        .isInstanceOf(StoreException.Closed.class);
  }

  @Test
  default void closing_while_busy_answers_everybody() {
    WatchProbe probe = new WatchProbe();
    store().watch(Feed.of(WATCHED), Watch.NOW, probe);
    probe.opened();
    List<CompletionStage<Outcome>> answers = IntStream.range(0, 2_000)
        .mapToObj(i ->
            store().commit(Commit.when().put(key(WATCHED, "k" + i), bytes("v")).build()))
        .toList();
    store().close();
    for (CompletionStage<Outcome> each : answers) {
      try {
        assertThat(answer(each)).isInstanceOf(Outcome.Done.class);
      } catch (StoreException e) {
        assertThat(e).isInstanceOfAny(StoreException.Closed.class, StoreException.Unknown.class);
      }
    }
  }

  @Test
  default void a_store_describes_itself() {
    long last = put(store(), key(PLAIN, "a"), "1");
    Status status = answer(store().status());
    assertThat(status.engine()).isNotBlank();
    assertThat(status.version()).isNotBlank();
    assertThat(status.durability()).isNotBlank();
    assertThat(status.fullness()).isBetween(0.0, 1.0);
    assertThat(status.revision()).isGreaterThanOrEqualTo(last);
  }
}
