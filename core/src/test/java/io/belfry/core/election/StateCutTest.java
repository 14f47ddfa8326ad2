package io.belfry.core.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Records;
import io.belfry.store.MemoryStore;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.FullStore;
import io.belfry.testkit.ManualTime;
import io.belfry.testkit.RefusingStore;
import io.belfry.testkit.RefusingStore.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A leader that cannot write to the state engine leaves the lead to a node that can. */
class StateCutTest {
  private static final ElectionSettings SETTINGS = ElectionSettings.DEFAULT;
  /** Until a leader knows that it cannot write, and another has been elected. */
  private static final Duration HAND_OVER =
      SETTINGS.lease().plus(SETTINGS.renew().multipliedBy(3));

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final MemoryStore elections = new MemoryStore(time, Runnable::run);
  private final MemoryStore state = new MemoryStore(time, Runnable::run);

  /** One node, with a way to the state engine of its own. */
  private final class Node implements ElectionListener {
    final RefusingStore way;
    final Election election;
    final List<String> losses = new ArrayList<>();
    long term;

    Node(String name, Store engine, Store stateEngine) {
      this.way = new RefusingStore(stateEngine);
      Store electionEngine = engine.equals(stateEngine) ? way : engine;
      this.election = new Election(loop, electionEngine, way, name, SETTINGS, this);
      election.start();
    }

    @Override
    public void won(Leadership leadership) {
      term = leadership.term().number();
    }

    @Override
    public void lost(String why) {
      losses.add(why);
    }

    boolean leads() {
      return election.leads();
    }
  }

  static Stream<Supplier<? extends StoreException>> refusals() {
    return Stream.concat(
        RefusingStore.kinds().stream(),
        Stream.of(() -> new StoreException.Unknown("The answer is lost, on purpose.", null)));
  }

  @AfterEach
  void close() {
    elections.close();
    state.close();
  }

  private long term() {
    return Records.term(state
            .get(List.of(Keys.FENCE))
            .toCompletableFuture()
            .join()
            .getFirst()
            .value())
        .number();
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void a_leader_cut_off_from_the_state_engine_alone_hands_over_and_stays_out_until_it_is_not(
      Supplier<? extends StoreException> reason) {
    var one = new Node("one~1", elections, state);
    loop.run(Duration.ofSeconds(5));
    assertThat(one.leads()).isTrue();
    var two = new Node("two~1", elections, state);
    loop.run(Duration.ofSeconds(5));

    one.way.refuse(Scope.EVERYTHING, reason);
    loop.run(HAND_OVER);
    assertThat(one.leads()).isFalse();
    assertThat(one.losses)
        .singleElement()
        .asString()
        .contains("cannot write to the state engine", reason.get().getMessage());
    assertThat(two.leads()).isTrue();

    loop.run(Duration.ofMinutes(1));
    assertThat(two.leads()).as("nobody takes the lead from who can write").isTrue();
    assertThat(two.losses).isEmpty();

    two.way.refuse(Scope.EVERYTHING, reason);
    loop.run(HAND_OVER);
    assertThat(one.leads() || two.leads())
        .as("nobody can write, so nobody leads")
        .isFalse();
    loop.run(Duration.ofMinutes(1));
    one.way.accept();
    loop.run(HAND_OVER);
    assertThat(one.leads()).as("it leads again by itself").isTrue();
    assertThat(one.term).isEqualTo(term());
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void the_same_holds_on_one_engine_that_renews_leases_and_refuses_commits(
      Supplier<? extends StoreException> reason) {
    var one = new Node("one~1", state, state);
    loop.run(Duration.ofSeconds(5));
    assertThat(one.leads()).isTrue();
    var two = new Node("two~1", state, state);
    loop.run(Duration.ofSeconds(5));
    one.way.refuse(Scope.COMMITS, reason);
    loop.run(HAND_OVER);
    assertThat(one.leads()).isFalse();
    assertThat(two.leads()).isTrue();
    two.way.refuse(Scope.COMMITS, reason);
    loop.run(Duration.ofMinutes(1));
    assertThat(one.leads() || two.leads()).isFalse();
    one.way.accept();
    two.way.accept();
    loop.run(HAND_OVER);
    assertThat(one.leads() ^ two.leads()).isTrue();
  }

  @Test
  void a_leader_of_a_full_engine_stays_because_it_alone_makes_room() {
    var room = new FullStore(state);
    var one = new Node("one~1", elections, room);
    loop.run(Duration.ofSeconds(5));
    room.full(true);
    loop.run(Duration.ofMinutes(10));
    assertThat(one.leads()).isTrue();
    assertThat(one.losses).isEmpty();
  }

  @Test
  void a_leader_that_has_nothing_to_do_keeps_its_lead() {
    var one = new Node("one~1", elections, state);
    loop.run(Duration.ofMinutes(10));
    assertThat(one.leads()).isTrue();
    assertThat(one.losses).isEmpty();
    assertThat(one.term).isEqualTo(1);
  }

  @Test
  void a_cut_that_is_shorter_than_the_lease_costs_nothing() {
    var one = new Node("one~1", elections, state);
    loop.run(Duration.ofSeconds(5));
    for (int i = 0; i < 10; i++) {
      one.way.refuse(
          Scope.EVERYTHING, () -> new StoreException.Unavailable("cut, on purpose", null));
      loop.run(SETTINGS.lease().minusMillis(100));
      one.way.accept();
      loop.run(SETTINGS.renew().plusMillis(100));
    }
    assertThat(one.losses).isEmpty();
  }
}
