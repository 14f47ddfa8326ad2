package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A guard is evaluated atomically with its commit, against all earlier commits and no later ones. */
public interface GuardPromise extends Subject {

  @Test
  default void absent_lets_the_first_in_and_nobody_else() {
    Key key = key(PLAIN, "a");
    long first = done(store(), Commit.when().absent(key).put(key, bytes("1")));
    Outcome.Refused second = refused(another(), Commit.when().absent(key).put(key, bytes("2")));

    assertThat(second.guard()).isEqualTo(new Guard.Absent(key));
    assertThat(second.found()).isEqualTo(first);
    assertThat(read(store(), key)).contains("1");
  }

  @Test
  default void unchanged_lets_in_who_saw_the_last_value() {
    Key key = key(ORDERED, "a");
    long first = put(store(), key, "1");
    long second = done(store(), Commit.when().unchanged(key, first).put(key, bytes("2")));
    Outcome.Refused late =
        refused(store(), Commit.when().unchanged(key, first).put(key, bytes("3")));

    assertThat(late).isEqualTo(new Outcome.Refused(new Guard.Unchanged(key, first), second));
    assertThat(read(store(), key)).contains("2");
  }

  @Test
  default void unchanged_does_not_hold_for_what_is_gone() {
    Key key = key(PLAIN, "a");
    long first = put(store(), key, "1");
    done(store(), Commit.when().delete(key));
    assertThat(refused(store(), Commit.when().unchanged(key, first).put(key, bytes("2")))
            .found())
        .isEqualTo(Revision.NONE);
  }

  @Test
  default void a_key_that_was_deleted_and_made_again_is_another_one() {
    Key key = key(PLAIN, "a");
    long first = put(store(), key, "1");
    done(store(), Commit.when().delete(key));
    long second = put(store(), key, "1");
    assertThat(second).isNotEqualTo(first);
    refused(store(), Commit.when().unchanged(key, first).put(key, bytes("2")));
  }

  @Test
  default void the_first_guard_of_the_list_that_fails_is_named() {
    Key there = key(PLAIN, "there");
    Key gone = key(PLAIN, "gone");
    Key taken = key(PLAIN, "taken");
    long revision = put(store(), there, "1");
    put(store(), taken, "2");
    Outcome.Refused answer = refused(
        store(),
        Commit.when()
            .unchanged(there, revision)
            .unchanged(gone, revision)
            .absent(taken)
            .put(gone, bytes("3")));
    assertThat(answer)
        .isEqualTo(new Outcome.Refused(new Guard.Unchanged(gone, revision), Revision.NONE));
  }

  @Test
  default void a_fence_holds_until_another_term_is_written() {
    Key fence = key(PLAIN, "term");
    long mine = put(store(), fence, "term 1");
    done(store(), Commit.when().holds(fence, mine).put(key(ORDERED, "task"), bytes("by 1")));
    long theirs = done(another(), Commit.when().unchanged(fence, mine).put(fence, bytes("term 2")));

    Outcome.Refused late =
        refused(store(), Commit.when().holds(fence, mine).put(key(ORDERED, "task"), bytes("late")));
    assertThat(late).isEqualTo(new Outcome.Refused(new Guard.Holds(fence, mine), theirs));
    assertThat(read(store(), key(ORDERED, "task"))).contains("by 1");
  }

  @Test
  default void nothing_fenced_lands_after_the_fence_has_moved() {
    Key fence = key(PLAIN, "term");
    Store rival = another();
    long held = put(store(), fence, "0");
    for (int round = 1; round <= 30; round++) {
      long mine = held;
      int number = round;
      List<CompletionStage<Outcome>> fenced = Stream.iterate(0, i -> i < 10, i -> i + 1)
          .map(i -> store()
              .commit(Commit.when()
                  .holds(fence, mine)
                  .put(key(ORDERED, number + "/" + i), bytes("x"))
                  .build()))
          .toList();
      held = done(rival, Commit.when().unchanged(fence, mine).put(fence, bytes("" + round)));
      for (CompletionStage<Outcome> stage : fenced) {
        if (answer(stage) instanceof Outcome.Done done) {
          assertThat(done.revision()).isLessThan(held);
        }
      }
    }
  }

  @Test
  default void commits_in_flight_together_do_not_see_through_each_other() {
    Store other = another();
    for (int round = 0; round < 60; round++) {
      Key x = key(PLAIN, "x" + round);
      Key y = key(PLAIN, "y" + round);
      CompletionStage<Outcome> one =
          store().commit(Commit.when().absent(y).put(x, bytes("1")).build());
      CompletionStage<Outcome> two = (round % 2 == 0 ? store() : other)
          .commit(Commit.when().absent(x).put(y, bytes("2")).build());
      assertThat(List.of(answer(one), answer(two)))
          .as("put x if y is absent, put y if x is absent: exactly one of the two")
          .filteredOn(Outcome.Done.class::isInstance)
          .hasSize(1);
    }
  }

  @Test
  default void commits_of_one_client_on_one_key_keep_their_order() {
    Key key = key(WATCHED, "a");
    var answers = new ArrayList<CompletionStage<Outcome>>();
    for (int i = 0; i <= 1_000; i++) {
      answers.add(store().commit(Commit.when().put(key, bytes("" + i)).build()));
      store().commit(Commit.when().put(key(PLAIN, "other" + i), bytes("x")).build());
    }
    assertThat(answers.stream().map(each -> ((Outcome.Done) answer(each)).revision()))
        .isSorted();
    assertThat(read(store(), key)).contains("1000");
  }

  @Test
  default void a_refused_commit_does_not_harm_those_beside_it() {
    Key taken = key(PLAIN, "taken");
    put(store(), taken, "x");
    List<CompletionStage<Outcome>> answers = Stream.iterate(0, i -> i < 50, i -> i + 1)
        .map(i -> store()
            .commit(
                i % 5 == 0
                    ? Commit.when()
                        .absent(taken)
                        .put(key(PLAIN, "k" + i), bytes("v"))
                        .build()
                    : Commit.when()
                        .absent(key(PLAIN, "k" + i))
                        .put(key(PLAIN, "k" + i), bytes("v"))
                        .build()))
        .toList();
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answer(answers.get(i)))
          .isInstanceOf(i % 5 == 0 ? Outcome.Refused.class : Outcome.Done.class);
      assertThat(read(store(), key(PLAIN, "k" + i)).isPresent()).isEqualTo(i % 5 != 0);
    }
  }
}
