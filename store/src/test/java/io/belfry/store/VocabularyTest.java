package io.belfry.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VocabularyTest {
  private static final Space SPACE = Space.plain("s").inOrder();

  @Nested
  class Revisions {
    @Test
    void carry_epoch_and_counter() {
      long revision = Revision.of(3, 8);
      assertThat(Revision.epoch(revision)).isEqualTo(3);
      assertThat(Revision.counter(revision)).isEqualTo(8);
      assertThat(Revision.show(revision)).isEqualTo("3-8");
    }

    @Test
    void of_a_later_epoch_are_later_whatever_their_counter() {
      assertThat(Revision.of(2, 1)).isGreaterThan(Revision.of(1, Revision.COUNTER_MAX));
      assertThat(Revision.of(Revision.EPOCH_MAX, 0) >>> 1).isPositive();
    }

    @Test
    void that_do_not_fit_are_refused() {
      assertThatThrownBy(() -> Revision.of(0, Revision.COUNTER_MAX + 1))
          .hasMessageContaining("new namespace");
      assertThatThrownBy(() -> Revision.of(Revision.EPOCH_MAX + 1, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Nested
  class Keys {
    @Test
    void are_ordered_by_space_then_unsigned_bytes() {
      Key low = Key.of(SPACE, new byte[] {0x7f});
      Key high = Key.of(SPACE, new byte[] {(byte) 0x80});
      assertThat(low).isLessThan(high);
      assertThat(Key.of(Space.plain("t"), "a")).isGreaterThan(high);
      assertThat(Key.of(SPACE, "a"))
          .isEqualTo(Key.of(SPACE, "a".getBytes(UTF_8)))
          .isNotEqualTo(low);
    }

    @Test
    void are_made_of_whole_characters_because_all_halves_are_the_same_in_utf_8() {
      for (String half : List.of("a\ud83d", "a\ud83e", "\ude00a", "\ude00\ud83d")) {
        assertThatThrownBy(() -> Key.of(SPACE, half))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("whole characters")
            .hasMessageContaining("\\ud");
      }
      assertThat(Key.of(SPACE, "a\ud83d\ude00").text()).isEqualTo("a\ud83d\ude00");
    }

    @Test
    void are_neither_empty_nor_too_long() {
      assertThatThrownBy(() -> Key.of(SPACE, ""))
          .hasMessageContaining("1 to " + Limits.KEY_BYTES_MAX);
      assertThatThrownBy(() -> Key.of(SPACE, "x".repeat(Limits.KEY_BYTES_MAX + 1)))
          .hasMessageContaining("has " + (Limits.KEY_BYTES_MAX + 1));
    }
  }

  @Nested
  class Spaces {
    @Test
    void have_short_plain_names() {
      for (String bad : List.of("", "A", "a/b", "1a", "a".repeat(17))) {
        assertThatThrownBy(() -> Space.plain(bad)).hasMessageContaining("but was '" + bad + "'");
      }
    }
  }

  @Nested
  class Commits {
    @Test
    void write_something() {
      assertThatThrownBy(() -> Commit.when().absent(Key.of(SPACE, "a")).build())
          .hasMessageContaining("must write something");
    }

    @Test
    void name_a_key_once_in_each_list() {
      Key key = Key.of(SPACE, "a");
      assertThatThrownBy(() -> Commit.when().put(key, new byte[0]).delete(key).build())
          .hasMessageContaining("written once");
      assertThatThrownBy(
              () -> Commit.when().absent(key).unchanged(key, 1).delete(key).build())
          .hasMessageContaining("guarded once");
    }
  }

  @Nested
  class Scans {
    @Test
    void of_a_prefix_end_behind_it() {
      assertThat(Scan.prefix(SPACE, "a/".getBytes(UTF_8)).to()).isEqualTo("a0".getBytes(UTF_8));
      assertThat(Scan.prefix(SPACE, new byte[] {1, (byte) 0xff}).to()).isEqualTo(new byte[] {2});
      assertThat(Scan.prefix(SPACE, new byte[] {(byte) 0xff}).to()).isNull();
    }
  }
}
