package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.BatchRule;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules for batches on etcd, each against a real one: what it refuses, and how we stay within. */
class EtcdBatchTest {
  private static final Space SPACE = Space.plain("s");
  private static final BatchRule RULE = Batches.rule(1);
  private static final BatchRule NOT_DISJOINT =
      new BatchRule(100, 12_800, 127, 1 << 20, 1, 32, false);

  private static EtcdServer etcd;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdServer.start();
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  private static EtcdStore connect(String namespace, BatchRule rule) {
    return EtcdStore.connect(EtcdSettings.of(etcd.uri(), namespace), rule);
  }

  @Nested
  class Compares_come_first {
    /** The mutant: with the rule removed, real etcd lets both through. */
    @Test
    void so_without_the_rule_of_disjoint_batches_write_skew_gets_through() {
      try (Store store = connect("skewed", NOT_DISJOINT)) {
        assertThat(IntStream.range(0, 200).filter(i -> bothPass(store, i)).findFirst())
            .isPresent();
      }
    }

    @Test
    void and_with_it_exactly_one_of_the_two_passes() {
      try (Store store = connect("disjoint", RULE)) {
        assertThat(IntStream.range(0, 200).filter(i -> bothPass(store, i)).findFirst())
            .isEmpty();
      }
    }

    /** "put x if y is absent" and "put y if x is absent", waiting together while another batch is away. */
    private boolean bothPass(Store store, int round) {
      Key x = key(SPACE, "x" + round);
      Key y = key(SPACE, "y" + round);
      var ahead =
          store.commit(Commit.when().put(key(SPACE, "ahead"), bytes("-")).build());
      var one = store.commit(Commit.when().absent(y).put(x, bytes("1")).build());
      var two = store.commit(Commit.when().absent(x).put(y, bytes("2")).build());
      answer(ahead);
      Outcome first = answer(one);
      Outcome second = answer(two);
      assertThat(first).isInstanceOf(Outcome.Done.class);
      return second instanceof Outcome.Done;
    }
  }

  @Nested
  class The_same_key_twice {
    @Test
    void in_one_transaction_is_refused_by_etcd() {
      try (Store store = connect("twice", NOT_DISJOINT)) {
        assertThatThrownBy(() -> IntStream.range(0, 200).forEach(i -> writeTwice(store)))
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageContaining("duplicate key");
      }
    }

    @Test
    void never_meets_in_one_batch_of_ours() {
      try (Store store = connect("once", RULE)) {
        IntStream.range(0, 200).forEach(i -> writeTwice(store));
        assertThat(read(store, key(SPACE, "k"))).contains("second");
      }
    }

    private void writeTwice(Store store) {
      var ahead =
          store.commit(Commit.when().put(key(SPACE, "ahead"), bytes("-")).build());
      var one = store.commit(Commit.when().put(key(SPACE, "k"), bytes("first")).build());
      var two = store.commit(Commit.when().put(key(SPACE, "k"), bytes("second")).build());
      answer(ahead);
      assertThat(answer(one)).isInstanceOf(Outcome.Done.class);
      assertThat(answer(two)).isInstanceOf(Outcome.Done.class);
    }
  }

  @Nested
  class Limits_of_a_transaction {
    @Test
    void operations_are_counted_along_the_nesting_and_stay_within_128() {
      try (Store store = connect("wide", Batches.rule(4))) {
        allDone(IntStream.range(0, 300)
            .mapToObj(i -> store.commit(wide(i, 1 + i % 110)))
            .toList());
      }
    }

    @Test
    void bytes_stay_within_a_mebibyte() {
      try (Store store = connect("heavy", Batches.rule(4))) {
        allDone(IntStream.range(0, 40)
            .mapToObj(i -> store.commit(
                Commit.when().put(key(SPACE, "k" + i), new byte[300 << 10]).build()))
            .toList());
      }
    }

    @Test
    void an_etcd_that_takes_less_gets_smaller_batches() {
      EtcdOptions narrow =
          EtcdOptions.DEFAULT.flag("max-txn-ops", "20").flag("max-request-bytes", "600000");
      try (EtcdServer small = EtcdServer.start(narrow);
          Store store = EtcdStore.connect(EtcdSettings.of(small.uri(), "small"))) {
        allDone(IntStream.range(0, 300).mapToObj(i -> store.commit(wide(i, 2))).toList());
        allDone(IntStream.range(0, 8)
            .mapToObj(i -> store.commit(
                Commit.when().put(key(SPACE, "h" + i), new byte[300 << 10]).build()))
            .toList());
        assertThatThrownBy(() ->
                done(store, Commit.when().put(key(SPACE, "too large for it"), new byte[900 << 10])))
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageContaining("--max-request-bytes");
        assertThat(read(store, key(SPACE, "too large for it"))).isEmpty();
      }
    }

    @Test
    void a_commit_that_an_etcd_does_not_take_is_refused_alone() {
      EtcdOptions narrow = EtcdOptions.DEFAULT.flag("max-request-bytes", "600000");
      try (EtcdServer small = EtcdServer.start(narrow);
          Store store = EtcdStore.connect(EtcdSettings.of(small.uri(), "alone"), RULE)) {
        var ahead =
            store.commit(Commit.when().put(key(SPACE, "ahead"), bytes("-")).build());
        List<CompletionStage<Outcome>> good = new ArrayList<>();
        IntStream.range(0, 20).forEach(i -> good.add(store.commit(wide(i, 1))));
        CompletionStage<Outcome> refused = store.commit(
            Commit.when().put(key(SPACE, "too large"), new byte[700 << 10]).build());
        IntStream.range(20, 40).forEach(i -> good.add(store.commit(wide(i, 1))));
        answer(ahead);
        assertThatThrownBy(() -> answer(refused))
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageContaining("--max-request-bytes");
        allDone(good);
      }
    }

    private Commit wide(int i, int writes) {
      Commit.Builder commit = Commit.when().absent(key(SPACE, i + "/0"));
      IntStream.range(0, writes).forEach(w -> commit.put(key(SPACE, i + "/" + w), bytes("v")));
      return commit.build();
    }
  }

  @Nested
  class Leases_in_a_batch {
    @Test
    void no_lease_is_granted_under_two_seconds() {
      try (Store store = connect("leases", RULE)) {
        Lease lease = answer(store.grant(Duration.ofSeconds(1)));
        assertThat(lease.ttl()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
      }
    }

    @Test
    void of_several_leases_the_first_that_ended_is_named() {
      try (Store store = connect("several", RULE)) {
        Lease alive = answer(store.grant(Duration.ofSeconds(60)));
        Lease dead = answer(store.grant(Duration.ofSeconds(60)));
        answer(store.revoke(dead.id()));
        Commit commit = Commit.when()
            .put(key(SPACE, "a"), bytes("1"), alive.id())
            .put(key(SPACE, "b"), bytes("2"), dead.id())
            .build();
        assertThat(answer(store.commit(commit))).isEqualTo(new Outcome.LeaseEnded(dead.id()));
        assertThat(read(store, key(SPACE, "a"))).isEmpty();
      }
    }

    @Test
    void a_guard_that_fails_comes_before_a_lease_that_ended() {
      try (Store store = connect("guardfirst", RULE)) {
        Lease dead = answer(store.grant(Duration.ofSeconds(60)));
        answer(store.revoke(dead.id()));
        done(store, Commit.when().put(key(SPACE, "taken"), bytes("1")));
        Commit commit = Commit.when()
            .absent(key(SPACE, "taken"))
            .put(key(SPACE, "b"), bytes("2"), dead.id())
            .build();
        assertThat(answer(store.commit(commit))).isInstanceOf(Outcome.Refused.class);
      }
    }
  }

  private static void allDone(List<CompletionStage<Outcome>> answers) {
    answers.forEach(each -> assertThat(answer(each)).isInstanceOf(Outcome.Done.class));
  }
}
