package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ordered spaces are scanned in unsigned byte order, page by page; each page is a consistent snapshot. */
public interface OrderPromise extends Subject {

  @Test
  default void a_scan_is_in_unsigned_byte_order() {
    List<byte[]> names = List.of(
        new byte[] {0},
        new byte[] {0, 0},
        new byte[] {0, 1},
        bytes("A"),
        bytes("a"),
        bytes("a\0"),
        bytes("a/"),
        bytes("aa"),
        new byte[] {(byte) 0x80},
        new byte[] {(byte) 0xff},
        new byte[] {(byte) 0xff, 0});
    for (int i : new int[] {4, 0, 10, 2, 9, 1, 7, 3, 8, 6, 5}) {
      done(store(), Commit.when().put(Key.of(ORDERED, names.get(i)), bytes("" + i)));
    }
    assertThat(scanAll(store(), Scan.all(ORDERED)))
        .extracting(entry -> entry.key().name())
        .containsExactlyElementsOf(names);
  }

  @Test
  default void a_scan_keeps_to_its_bounds_and_its_space() {
    for (String name : List.of("a", "b", "b/1", "b/2", "b0", "c")) {
      put(store(), key(ORDERED, name), name);
      put(store(), key(NEIGHBOUR, name), "not " + name);
    }
    assertThat(scanAll(store(), Scan.prefix(ORDERED, bytes("b/"))))
        .extracting(Subject::text)
        .containsExactly("b/1", "b/2");
    assertThat(scanAll(store(), new Scan(ORDERED, bytes("b"), bytes("b/2"), 10)))
        .extracting(Subject::text)
        .containsExactly("b", "b/1");
    assertThat(scanAll(store(), new Scan(ORDERED, bytes("c"), bytes("b"), 10))).isEmpty();
    assertThat(scanAll(store(), Scan.prefix(ORDERED, bytes("x")))).isEmpty();
    assertThat(scanAll(store(), Scan.all(ORDERED))).hasSize(6);
  }

  @Test
  default void a_scan_of_an_empty_space_is_one_empty_page() {
    Page page = answer(store().scan(Scan.all(ORDERED)));
    assertThat(page.entries()).isEmpty();
    assertThat(page.next()).isEmpty();
  }

  @Test
  default void pages_cover_everything_once() {
    for (int i = 0; i < 25; i++) {
      put(store(), key(ORDERED, "k%02d".formatted(i)), "" + i);
    }
    Scan byTen = Scan.all(ORDERED).limit(10);
    Page first = answer(store().scan(byTen));
    assertThat(first.entries()).hasSize(10);
    assertThat(first.next()).isPresent();
    assertThat(scanAll(store(), byTen))
        .extracting(entry -> entry.key().text())
        .containsExactlyElementsOf(
            IntStream.range(0, 25).mapToObj("k%02d"::formatted).toList());
  }

  @Test
  default void deleted_and_rewritten_keys_stand_in_a_scan_as_they_are() {
    put(store(), key(ORDERED, "a"), "1");
    put(store(), key(ORDERED, "b"), "1");
    done(store(), Commit.when().delete(key(ORDERED, "a")));
    long again = put(store(), key(ORDERED, "b"), "2");
    List<Entry> found = scanAll(store(), Scan.all(ORDERED));
    assertThat(found).extracting(Subject::text).containsExactly("2");
    assertThat(found.getFirst().revision()).isEqualTo(again);
  }

  @Test
  default void a_page_knows_the_revision_it_stands_at() {
    long last = put(store(), key(ORDERED, "a"), "1");
    Page page = answer(store().scan(Scan.all(ORDERED)));
    assertThat(page.revision()).isGreaterThanOrEqualTo(last);
    assertThat(put(store(), key(ORDERED, "b"), "2")).isGreaterThan(page.revision());
  }

  @Test
  default void large_spaces_are_scanned_to_the_end() {
    int count = 5_000;
    var answers = new ArrayList<CompletionStage<Outcome>>();
    for (int from = 0; from < count; from += 100) {
      Commit.Builder batch = Commit.when();
      for (int i = from; i < from + 100; i++) {
        batch.put(key(ORDERED, "%06d".formatted(i)), bytes("value " + i));
      }
      answers.add(store().commit(batch.build()));
    }
    answers.forEach(Subject::answer);
    assertThat(scanAll(store(), Scan.all(ORDERED)))
        .extracting(Subject::text)
        .containsExactlyElementsOf(
            IntStream.range(0, count).mapToObj(i -> "value " + i).toList());
  }

  @Test
  default void a_page_of_large_values_ends_early_and_goes_on() {
    for (int i = 0; i < 6; i++) {
      done(store(), Commit.when().put(key(ORDERED, "k" + i), new byte[600 << 10]));
    }
    Page first = answer(store().scan(Scan.all(ORDERED)));
    assertThat(first.entries().size()).isBetween(1, 3);
    assertThat(first.next()).isPresent();
    assertThat(scanAll(store(), Scan.all(ORDERED))).hasSize(6);
  }

  @Test
  default void a_page_never_shows_half_a_commit() {
    put(store(), key(ORDERED, "left"), "0");
    put(store(), key(ORDERED, "right"), "0");
    @Nullable CompletionStage<Outcome> last = null;
    for (int i = 1; i <= 100; i++) {
      last = store()
          .commit(Commit.when()
              .put(key(ORDERED, "left"), bytes("" + i))
              .put(key(ORDERED, "right"), bytes("" + i))
              .build());
      List<Entry> page = answer(store().scan(Scan.all(ORDERED))).entries();
      assertThat(page).hasSize(2);
      assertThat(Subject.text(page.get(0))).isEqualTo(Subject.text(page.get(1)));
    }
    answer(Objects.requireNonNull(last));
  }

  @Test
  default void only_ordered_spaces_can_be_scanned_and_pages_are_bounded() {
    assertThatThrownBy(() -> Scan.all(PLAIN))
        .hasMessageContaining("Only an ordered space can be scanned");
    assertThatThrownBy(() -> Scan.all(ORDERED).limit(Limits.SCAN_ENTRIES_MAX + 1))
        .hasMessageContaining("1 to " + Limits.SCAN_ENTRIES_MAX);
    assertThatThrownBy(() -> Scan.all(ORDERED).limit(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
