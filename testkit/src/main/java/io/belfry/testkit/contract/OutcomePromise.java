package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.testkit.FaultyStore;
import org.junit.jupiter.api.Test;

/** An unknown outcome of a commit can be resolved by committing it again. */
public interface OutcomePromise extends Subject {

  /** A commit that can be repeated: its {@code absent} guard is on a key that no other commit writes. */
  private static Commit settleable(Key own, Key shared, String value) {
    return Commit.when()
        .absent(own)
        .put(own, bytes(value))
        .put(shared, bytes(value))
        .build();
  }

  private static boolean succeeded(Outcome again, Key own) {
    return again instanceof Outcome.Done
        || (again instanceof Outcome.Refused refused
            && refused.guard().equals(new Guard.Absent(own)));
  }

  @Test
  default void an_answer_that_was_lost_is_found_by_committing_again() {
    FaultyStore faulty = new FaultyStore(store());
    Key own = key(PLAIN, "batch-1");
    Key shared = key(PLAIN, "shared");
    Commit commit = settleable(own, shared, "1");

    faulty.loseNextAnswer();
    assertThatThrownBy(() -> answer(faulty.commit(commit)))
        .isInstanceOf(StoreException.Unknown.class);
    put(store(), shared, "later, by somebody else");

    assertThat(succeeded(answer(faulty.commit(commit)), own)).isTrue();
    assertThat(read(store(), shared))
        .as("settling must not apply it twice")
        .contains("later, by somebody else");
  }

  @Test
  default void a_request_that_was_lost_is_done_by_committing_again() {
    FaultyStore faulty = new FaultyStore(store());
    Key own = key(PLAIN, "batch-1");
    Commit commit = settleable(own, key(PLAIN, "shared"), "1");

    faulty.loseNextRequest();
    assertThatThrownBy(() -> answer(faulty.commit(commit)))
        .isInstanceOf(StoreException.Unknown.class);
    assertThat(read(store(), own)).isEmpty();

    assertThat(answer(faulty.commit(commit))).isInstanceOf(Outcome.Done.class);
    assertThat(read(store(), own)).contains("1");
  }

  @Test
  default void a_request_that_arrives_late_does_no_harm_once_it_was_settled() {
    FaultyStore faulty = new FaultyStore(store());
    Key own = key(PLAIN, "batch-1");
    Key shared = key(PLAIN, "shared");
    Commit commit = settleable(own, shared, "1");

    faulty.delayNextRequest();
    assertThatThrownBy(() -> answer(faulty.commit(commit)))
        .isInstanceOf(StoreException.Unknown.class);
    assertThat(read(store(), own)).as("a read now would call it lost").isEmpty();

    assertThat(succeeded(answer(faulty.commit(commit)), own)).isTrue();
    put(store(), shared, "2");
    faulty.deliverDelayed();
    assertThat(read(store(), shared)).contains("2");
  }
}
