package io.belfry.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.log.AttemptLog;
import io.belfry.server.live.LogTail.Piece;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogTailTest {
  private final LogTail tail = new LogTail();

  private static List<AttemptLog> log(String text) {
    return List.of(new AttemptLog(1, "w", text, false));
  }

  @Test
  void tells_what_is_new_once() {
    assertThat(tail.news(log("one\n"))).contains(new Piece(1, 0, "one\n", false));
    assertThat(tail.news(log("one\n"))).isEmpty();
    assertThat(tail.news(log("one\ntwo\n"))).contains(new Piece(1, 4, "two\n", false));
    assertThat(tail.news(log("one\n…\ntwo\n"))).contains(new Piece(1, 0, "one\n…\ntwo\n", true));
  }

  @Test
  void tells_a_long_log_in_pieces_of_whole_characters() {
    String text = "a" + "😀".repeat(100_000);
    var told = new StringBuilder();
    Optional<Piece> next = tail.news(log(text));
    while (next.isPresent()) {
      Piece piece = next.get();
      assertThat(piece.from()).isEqualTo(told.length());
      assertThat(piece.text().length()).isLessThanOrEqualTo(LogTail.PIECE_CHARS_MAX);
      assertThat(Character.isHighSurrogate(piece.text().charAt(piece.text().length() - 1)))
          .isFalse();
      told.append(piece.text());
      next = tail.news(log(text));
    }
    assertThat(told.toString()).isEqualTo(text);
  }

  @Test
  void goes_on_behind_what_a_reader_has() {
    tail.resume(1, 4, log("one\ntwo\n"));
    assertThat(tail.news(log("one\ntwo\n"))).contains(new Piece(1, 4, "two\n", false));
  }
}
