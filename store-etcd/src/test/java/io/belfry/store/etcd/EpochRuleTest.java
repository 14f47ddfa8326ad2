package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.StoreException;
import io.belfry.store.etcd.EpochRule.Stored;
import io.belfry.store.etcd.EpochRule.Verdict;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochRuleTest {
  private static final long HERE = 0xcdf818194e3a8c32L;
  private static final long ELSEWHERE = 7;
  private static final EtcdEpoch KNOWN = new EtcdEpoch(3, HERE, 50);

  @Test
  void an_empty_prefix_begins_with_one() {
    assertThat(EpochRule.judge(Optional.empty(), Optional.empty(), HERE, false))
        .isEqualTo(new Verdict.Begin(1));
  }

  @Test
  void a_newcomer_adopts_what_stands_there() {
    assertAdopts(3, EpochRule.judge(Optional.empty(), stored(3, HERE, 50), HERE, false));
  }

  @Test
  void a_newcomer_on_a_restored_cluster_begins_the_next() {
    assertThat(EpochRule.judge(Optional.empty(), stored(3, ELSEWHERE, 50), HERE, false))
        .isEqualTo(new Verdict.Begin(4));
  }

  @Test
  void nothing_changed_is_nothing_changed() {
    assertThat(EpochRule.judge(Optional.of(KNOWN), stored(3, HERE, 50), HERE, false))
        .isEqualTo(new Verdict.Adopt(KNOWN));
  }

  @Test
  void a_data_set_that_went_back_begins_the_next() {
    assertThat(EpochRule.judge(Optional.of(KNOWN), stored(3, HERE, 50), HERE, true))
        .isEqualTo(new Verdict.Begin(4));
    assertThat(EpochRule.judge(Optional.of(KNOWN), stored(1, HERE, 20), HERE, true))
        .isEqualTo(new Verdict.Begin(4));
  }

  @Test
  void a_record_that_vanished_or_was_rewritten_begins_the_next() {
    assertThat(EpochRule.judge(Optional.of(KNOWN), Optional.empty(), HERE, false))
        .isEqualTo(new Verdict.Begin(4));
    assertThat(EpochRule.judge(Optional.of(KNOWN), stored(3, HERE, 60), HERE, false))
        .isEqualTo(new Verdict.Begin(4));
  }

  @Test
  void another_cluster_with_an_epoch_of_its_own_does_not_pass_for_ours() {
    assertThat(EpochRule.judge(Optional.of(KNOWN), stored(1, ELSEWHERE, 9), ELSEWHERE, false))
        .isEqualTo(new Verdict.Begin(4));
  }

  @Test
  void the_same_record_in_another_cluster_begins_the_next() {
    assertThat(EpochRule.judge(Optional.of(KNOWN), stored(3, HERE, 50), ELSEWHERE, false))
        .isEqualTo(new Verdict.Begin(4));
    EtcdEpoch elsewhere = new EtcdEpoch(3, ELSEWHERE, 50);
    assertThat(EpochRule.judge(Optional.of(elsewhere), stored(3, HERE, 50), HERE, false))
        .isEqualTo(new Verdict.Begin(4));
  }

  @Test
  void what_another_client_has_begun_is_adopted_even_if_the_data_went_back() {
    assertAdopts(4, EpochRule.judge(Optional.of(KNOWN), stored(4, HERE, 30), HERE, true));
    assertAdopts(
        4, EpochRule.judge(Optional.of(KNOWN), stored(4, ELSEWHERE, 30), ELSEWHERE, false));
  }

  @Test
  void the_record_is_readable_and_read_back() {
    String text = EpochRule.print(12, HERE);
    assertThat(text).isEqualTo("12 cdf818194e3a8c32");
    assertThat(Stored.parse(text, 5)).isEqualTo(new Stored(12, HERE, 5));
    assertThatThrownBy(() -> Stored.parse("hello", 5))
        .isInstanceOf(StoreException.Damaged.class)
        .hasMessageContaining("'hello'");
  }

  private static Optional<Stored> stored(long epoch, long cluster, long revision) {
    return Optional.of(new Stored(epoch, cluster, revision));
  }

  private static void assertAdopts(long epoch, Verdict verdict) {
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Adopt.class, adopt -> assertThat(adopt.era().epoch()).isEqualTo(epoch));
  }
}
