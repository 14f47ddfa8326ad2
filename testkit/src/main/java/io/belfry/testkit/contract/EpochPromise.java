package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.find;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import org.junit.jupiter.api.Test;

/** The effect of a new epoch on earlier entries. */
public interface EpochPromise extends Subject {

  @Test
  default void what_nobody_wrote_keeps_its_value_and_its_counter_in_another_epoch() {
    Key key = key(PLAIN, "a");
    long before = put(store(), key, "1");
    Store later = inAnotherEpoch();
    Entry shown = find(later, key).orElseThrow();
    assertThat(Subject.text(shown)).isEqualTo("1");
    assertThat(Revision.counter(shown.revision())).isEqualTo(Revision.counter(before));
    assertThat(Revision.epoch(shown.revision())).isGreaterThanOrEqualTo(Revision.epoch(before));
  }

  @Test
  default void guards_go_by_the_revision_that_is_shown_in_another_epoch() {
    Key key = key(PLAIN, "a");
    put(store(), key, "1");
    Store later = inAnotherEpoch();
    long shown = find(later, key).orElseThrow().revision();
    assertThat(refused(later, Commit.when().absent(key).put(key, bytes("2"))).found())
        .isEqualTo(shown);
    long written = done(later, Commit.when().unchanged(key, shown).put(key, bytes("2")));
    assertThat(written).isGreaterThan(shown);
    assertThat(find(later, key).orElseThrow().revision()).isEqualTo(written);
  }

  @Test
  default void no_fence_of_before_holds_in_another_epoch() {
    Key fence = key(PLAIN, "fence");
    Key work = key(PLAIN, "work");
    long won = put(store(), fence, "leader");
    Store later = inAnotherEpoch();
    refused(later, Commit.when().holds(fence, won).put(work, bytes("1")));
    long again = put(later, fence, "leader");
    assertThat(Revision.epoch(again)).isGreaterThan(Revision.epoch(won));
    done(later, Commit.when().holds(fence, again).put(work, bytes("1")));
  }
}
