package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Watch;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys written under a lease are deleted together when it ends, and not before. */
public interface LeasePromise extends Subject {
  Duration SHORT = Duration.ofSeconds(2);

  private Lease grant() {
    return answer(store().grant(SHORT));
  }

  @Test
  default void a_lease_lasts_at_least_as_long_as_asked_for() {
    assertThat(grant().ttl()).isGreaterThanOrEqualTo(SHORT);
    assertThat(grant().id()).isNotEqualTo(Lease.NONE).isNotEqualTo(grant().id());
  }

  @Test
  default void keys_of_a_lease_that_nobody_renews_vanish_in_one_step() {
    Lease lease = grant();
    WatchProbe probe = new WatchProbe();
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      done(
          store(),
          Commit.when()
              .put(key(WATCHED, "a"), bytes("1"), lease.id())
              .put(key(WATCHED, "b"), bytes("2"), lease.id())
              .put(key(WATCHED, "stays"), bytes("3")));
      assertThat(probe.changed().changes()).hasSize(3);

      assertThat(probe.changed().changes())
          .containsExactlyInAnyOrder(
              new Change.Deleted(key(WATCHED, "a")), new Change.Deleted(key(WATCHED, "b")));
      assertThat(scanAll(store(), Scan.all(WATCHED)))
          .extracting(Subject::text)
          .containsExactly("3");
      assertThat(answer(store().renew(lease.id()))).isFalse();
    }
  }

  @Test
  default void a_lease_that_is_renewed_stays() {
    Lease lease = grant();
    Key key = key(PLAIN, "a");
    done(store(), Commit.when().put(key, bytes("1"), lease.id()));
    await()
        .pollInterval(Duration.ofMillis(200))
        .during(lease.ttl().multipliedBy(2))
        .atMost(lease.ttl().multipliedBy(2).plusSeconds(PATIENCE_SECONDS))
        .until(() -> answer(store().renew(lease.id())) && read(store(), key).isPresent());
  }

  @Test
  default void a_lease_does_not_end_before_its_time() {
    Lease lease = answer(store().grant(Duration.ofSeconds(30)));
    Lease other = grant();
    Key key = key(PLAIN, "a");
    WatchProbe probe = new WatchProbe();
    done(store(), Commit.when().put(key, bytes("1"), lease.id()));
    try (Watch watch = store().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      done(store(), Commit.when().put(key(WATCHED, "b"), bytes("1"), other.id()));
      probe.changed();
      assertThat(probe.changed().changes()).containsExactly(new Change.Deleted(key(WATCHED, "b")));
    }
    assertThat(read(store(), key)).contains("1");
    assertThat(answer(store().renew(lease.id()))).isTrue();
  }

  @Test
  default void revoking_ends_a_lease_now_and_again_is_no_error() {
    Lease lease = grant();
    Key key = key(ORDERED, "a");
    done(store(), Commit.when().put(key, bytes("1"), lease.id()));
    answer(store().revoke(lease.id()));
    assertThat(read(store(), key)).isEmpty();
    assertThat(scanAll(store(), Scan.all(ORDERED))).isEmpty();
    assertThat(answer(store().renew(lease.id()))).isFalse();
    answer(store().revoke(lease.id()));
    done(store(), Commit.when().absent(key).put(key, bytes("2")));
  }

  @Test
  default void a_key_under_a_lease_is_there_for_guards_until_the_lease_ends() {
    Lease lease = answer(store().grant(Duration.ofSeconds(30)));
    Key key = key(PLAIN, "a");
    long made = done(store(), Commit.when().put(key, bytes("1"), lease.id()));
    assertThat(refused(store(), Commit.when().absent(key).put(key, bytes("2"))).found())
        .isEqualTo(made);
    answer(store().revoke(lease.id()));
    done(store(), Commit.when().absent(key).put(key, bytes("2")));
  }

  @Test
  default void a_commit_under_an_ended_lease_is_told_so_and_those_beside_it_are_not_harmed() {
    Lease dead = grant();
    answer(store().revoke(dead.id()));
    List<CompletionStage<Outcome>> answers = IntStream.range(0, 20)
        .mapToObj(i -> store()
            .commit(Commit.when()
                .put(key(PLAIN, "k" + i), bytes("v"))
                .put(key(ORDERED, "k" + i), bytes("v"), i == 10 ? dead.id() : Lease.NONE)
                .build()))
        .toList();
    for (int i = 0; i < 20; i++) {
      Outcome outcome = answer(answers.get(i));
      if (i == 10) {
        assertThat(outcome).isEqualTo(new Outcome.LeaseEnded(dead.id()));
      } else {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
      }
      assertThat(read(store(), key(PLAIN, "k" + i)).isPresent()).isEqualTo(i != 10);
    }
  }

  @Test
  default void a_key_written_again_without_the_lease_outlives_it() {
    Lease lease = grant();
    Key key = key(PLAIN, "a");
    done(store(), Commit.when().put(key, bytes("1"), lease.id()));
    put(store(), key, "2");
    answer(store().revoke(lease.id()));
    assertThat(read(store(), key)).contains("2");
  }

  @Test
  default void a_key_moves_from_lease_to_lease() {
    Lease first = grant();
    Lease second = answer(store().grant(Duration.ofSeconds(30)));
    Key key = key(PLAIN, "a");
    done(store(), Commit.when().put(key, bytes("1"), first.id()));
    done(store(), Commit.when().put(key, bytes("2"), second.id()));
    answer(store().revoke(first.id()));
    assertThat(read(store(), key)).contains("2");
    answer(store().revoke(second.id()));
    assertThat(read(store(), key)).isEmpty();
  }

  @Test
  default void many_leases_that_end_together_all_end() {
    int count = 60;
    List<Lease> leases =
        IntStream.range(0, count).mapToObj(i -> store().grant(SHORT)).toList().stream()
            .map(Subject::answer)
            .toList();
    WatchProbe probe = new WatchProbe();
    try (Watch watch = another().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      List<CompletionStage<Outcome>> puts = IntStream.range(0, count)
          .mapToObj(i -> store()
              .commit(Commit.when()
                  .put(key(WATCHED, "k" + i), bytes("v"), leases.get(i).id())
                  .build()))
          .toList();
      puts.forEach(put -> assertThat(answer(put)).isInstanceOf(Outcome.Done.class));
      Set<Key> gone = new HashSet<>();
      while (gone.size() < count) {
        probe.changed().changes().stream()
            .filter(Change.Deleted.class::isInstance)
            .forEach(c -> gone.add(c.key()));
      }
      assertThat(scanAll(store(), Scan.all(WATCHED))).isEmpty();
    }
  }

  @Test
  default void a_lease_must_be_neither_too_short_nor_too_long() {
    assertThatThrownBy(() -> answer(store().grant(Duration.ofMillis(100))))
        .hasMessageContaining("A lease must last");
    assertThatThrownBy(() -> answer(store().grant(Duration.ofDays(1))))
        .hasMessageContaining("A lease must last");
  }
}
