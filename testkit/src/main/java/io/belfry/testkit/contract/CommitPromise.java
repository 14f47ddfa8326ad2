package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.find;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Store;
import io.belfry.store.TooLargeException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A commit is atomic, and its values are stored unchanged. */
public interface CommitPromise extends Subject {

  @Test
  default void all_writes_of_a_commit_happen_in_one_step() {
    put(store(), key(PLAIN, "old"), "x");
    long revision = done(
        store(),
        Commit.when()
            .put(key(PLAIN, "a"), bytes("1"))
            .put(key(ORDERED, "b"), bytes("2"))
            .put(key(WATCHED, "c"), bytes("3"))
            .delete(key(PLAIN, "old")));

    List<Entry> found = answer(store()
        .get(List.of(key(PLAIN, "a"), key(ORDERED, "b"), key(WATCHED, "c"), key(PLAIN, "old"))));
    assertThat(found).extracting(Subject::text).containsExactly("1", "2", "3");
    assertThat(found).extracting(Entry::revision).containsOnly(revision);
  }

  @Test
  default void one_guard_that_fails_undoes_the_whole_commit() {
    put(store(), key(PLAIN, "taken"), "x");
    refused(
        store(),
        Commit.when()
            .absent(key(PLAIN, "free"))
            .absent(key(PLAIN, "taken"))
            .put(key(PLAIN, "free"), bytes("y"))
            .put(key(ORDERED, "other"), bytes("y"))
            .delete(key(PLAIN, "taken")));

    assertThat(read(store(), key(PLAIN, "free"))).isEmpty();
    assertThat(read(store(), key(ORDERED, "other"))).isEmpty();
    assertThat(read(store(), key(PLAIN, "taken"))).contains("x");
  }

  @Test
  default void what_is_deleted_is_gone_and_deleting_it_again_is_no_error() {
    Key key = key(ORDERED, "a");
    put(store(), key, "1");
    done(store(), Commit.when().delete(key));
    assertThat(read(store(), key)).isEmpty();
    done(store(), Commit.when().delete(key));
    put(store(), key, "2");
    assertThat(read(store(), key)).contains("2");
  }

  @Test
  default void revisions_grow_with_every_step_whoever_takes_it() {
    Store other = another();
    long last = 0;
    for (int i = 0; i < 20; i++) {
      long revision = put(i % 2 == 0 ? store() : other, key(PLAIN, "k" + i % 3), "v" + i);
      assertThat(revision).isGreaterThan(last);
      last = revision;
    }
  }

  @Test
  default void an_entry_bears_the_revision_that_its_commit_was_told() {
    Key key = key(PLAIN, "a");
    for (int i = 0; i < 3; i++) {
      long revision = put(store(), key, "v" + i);
      assertThat(find(store(), key).orElseThrow().revision()).isEqualTo(revision);
    }
  }

  @Test
  default void get_answers_in_the_order_of_the_question_and_leaves_out_what_is_absent() {
    put(store(), key(PLAIN, "a"), "1");
    put(store(), key(PLAIN, "c"), "3");
    assertThat(answer(store().get(List.of(key(PLAIN, "c"), key(PLAIN, "b"), key(PLAIN, "a")))))
        .extracting(Subject::text)
        .containsExactly("3", "1");
    assertThat(answer(store().get(List.of()))).isEmpty();
  }

  @Test
  default void keys_and_values_may_hold_any_bytes() {
    byte[] any = new byte[256];
    IntStream.range(0, 256).forEach(i -> any[i] = (byte) i);
    Key odd = Key.of(WATCHED, any);
    done(store(), Commit.when().put(odd, any).put(key(WATCHED, "empty"), new byte[0]));

    Entry found = find(store(), odd).orElseThrow();
    assertThat(found.value()).isEqualTo(any);
    assertThat(found.key()).isEqualTo(odd);
    assertThat(find(store(), key(WATCHED, "empty")).orElseThrow().value()).isEmpty();
  }

  @Test
  default void the_largest_value_and_the_widest_commit_are_taken() {
    byte[] large = new byte[Limits.VALUE_BYTES_MAX];
    large[large.length - 1] = 7;
    done(store(), Commit.when().put(key(ORDERED, "large"), large));
    assertThat(find(store(), key(ORDERED, "large")).orElseThrow().value()).isEqualTo(large);

    Commit.Builder wide = Commit.when();
    for (int i = 0; i < Limits.WRITES_MAX; i++) {
      wide.absent(key(ORDERED, "wide" + i)).put(key(ORDERED, "wide" + i), bytes("v"));
    }
    long revision = done(store(), wide);
    assertThat(find(store(), key(ORDERED, "wide" + (Limits.WRITES_MAX - 1)))
            .orElseThrow()
            .revision())
        .isEqualTo(revision);
  }

  @Test
  default void what_is_too_large_is_refused_before_anything_is_sent() {
    assertThatThrownBy(
            () -> Commit.when().put(key(PLAIN, "a"), new byte[Limits.VALUE_BYTES_MAX + 1]))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("at most " + Limits.VALUE_BYTES_MAX);
    Commit.Builder tooWide = Commit.when();
    for (int i = 0; i <= Limits.WRITES_MAX; i++) {
      tooWide.put(key(PLAIN, "k" + i), bytes("v"));
    }
    assertThatThrownBy(tooWide::build).isInstanceOf(TooLargeException.class);
    Commit.Builder tooHeavy = Commit.when();
    for (int i = 0; i < 2; i++) {
      tooHeavy.put(key(PLAIN, "k" + i), new byte[Limits.VALUE_BYTES_MAX]);
    }
    assertThatThrownBy(tooHeavy::build).isInstanceOf(TooLargeException.class);
    List<Key> tooMany = IntStream.rangeClosed(0, Limits.GET_KEYS_MAX)
        .mapToObj(i -> key(PLAIN, "k" + i))
        .toList();
    assertThatThrownBy(() -> answer(store().get(tooMany))).isInstanceOf(TooLargeException.class);
    assertThat(read(store(), key(PLAIN, "k0"))).isEmpty();
  }
}
