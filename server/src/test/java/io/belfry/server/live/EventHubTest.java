package io.belfry.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening;
import io.belfry.library.Belfry;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EventHubTest {
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final List<Consumer<Happening>> listeners = new ArrayList<>();
  private final EventHub hub = new EventHub("life", time, this::listen);

  private Belfry.Subscription listen(Consumer<Happening> heard) {
    listeners.add(heard);
    return () -> listeners.remove(heard);
  }

  private void happen(int count) {
    for (int i = 0; i < count; i++) {
      listeners.forEach(each -> each.accept(new Happening.WorkerJoined("w")));
    }
  }

  private EventHub.Batch after(long number) throws InterruptedException {
    return hub.after(number, Duration.ZERO).orElseThrow();
  }

  @Test
  void a_reader_gets_what_came_since_it_began_in_order() throws Exception {
    long begun = hub.begin();
    happen(3);
    EventHub.Batch batch = after(begun);
    assertThat(batch.missed()).isFalse();
    assertThat(batch.events()).extracting(EventHub.Event::number).containsExactly(1L, 2L, 3L);
    assertThat(after(3).events()).isEmpty();
    assertThat(after(2).events()).extracting(EventHub.Event::number).containsExactly(3L);
  }

  @Test
  void a_long_past_is_cut_and_who_was_away_too_long_is_told() throws Exception {
    long begun = hub.begin();
    happen(10_600);
    assertThat(after(begun).missed()).isTrue();
    assertThat(after(begun).events().getFirst().number()).isEqualTo(601);
    assertThat(after(600).missed()).isFalse();
    assertThat(after(599).missed()).isTrue();
    assertThat(after(600).events()).hasSize(500);
  }

  @Test
  void a_number_that_was_never_given_counts_as_missed() throws Exception {
    hub.begin();
    happen(1);
    assertThat(after(99).missed()).isTrue();
  }

  @Test
  void it_listens_only_while_somebody_reads() throws Exception {
    assertThat(listeners).isEmpty();
    long begun = hub.begin();
    happen(2);
    time.advance(Duration.ofMinutes(4));
    hub.unsubscribeIfIdle();
    assertThat(listeners).hasSize(1);
    assertThat(after(begun).events()).hasSize(2);
    time.advance(Duration.ofMinutes(6));
    hub.unsubscribeIfIdle();
    assertThat(listeners).isEmpty();
    hub.begin();
    happen(1);
    EventHub.Batch back = after(2);
    assertThat(back.missed()).isTrue();
    assertThat(back.events()).hasSize(1);
  }

  @Test
  void closing_ends_readers() throws Exception {
    hub.begin();
    hub.close();
    assertThat(hub.after(0, Duration.ofSeconds(10))).isEmpty();
    assertThat(listeners).isEmpty();
  }
}
