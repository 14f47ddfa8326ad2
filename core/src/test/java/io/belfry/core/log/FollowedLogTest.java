package io.belfry.core.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.LogPiece;
import io.belfry.core.record.Records;
import io.belfry.model.job.Payload;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Clients that follow a log read only what is new. */
class FollowedLogTest {
  private static final Instant NOW = Instant.parse("2027-03-01T10:00:00Z");
  private static final TaskId TASK = TaskId.parse("t");
  private static final int SPAN = 16;

  private final Counting store = new Counting(new MemoryStore(new ManualTime(NOW), Runnable::run));
  private final LogReader followed = new LogReader(store, Runnable::run);
  /** The sizes of the kept pieces, by number. */
  private final Map<Long, Integer> written = new HashMap<>();

  /** Counts the keys that are read by name. Threading: confined to its test. */
  private static final class Counting extends DelegatingStore {
    int keys;

    Counting(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Entry>> get(Collection<Key> asked) {
      keys += asked.size();
      return store.get(asked);
    }
  }

  private static String line(long piece, int lines) {
    return ("line of piece " + piece + "\n").repeat(lines);
  }

  /** As a worker writes it: the last piece, and the head with it. */
  private void write(long pieces, int lines) {
    long last = pieces - 1;
    long cut = Math.max(0, pieces - 2 * SPAN);
    var piece = new LogPiece(last, Payload.of(LogPiece.TYPE, line(last, lines).getBytes(UTF_8)));
    written.put(last, piece.text().size());
    written.remove(last < 2 * SPAN ? -1 : last - SPAN);
    int bytes = written.values().stream().mapToInt(Integer::intValue).sum();
    var head = new LogHead(TASK, 1, 1, "w~1", NOW, SPAN, pieces, bytes, cut, false);
    Outcome done = join(store.commit(Commit.when()
        .put(Keys.logHead(TASK, 1), Records.encode(head))
        .put(Keys.logPiece(TASK, 1, LogHead.slot(SPAN, last)), Records.encode(piece))
        .build()));
    assertThat(done).isInstanceOf(Outcome.Done.class);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private String read(LogReader journal) {
    return join(journal.logs(TASK)).getFirst().text();
  }

  @Test
  void a_follower_reads_only_what_is_new_and_sees_what_a_fresh_reader_sees() {
    for (int pieces = 1; pieces <= 3 * SPAN; pieces++) {
      for (int lines = 1; lines <= 2; lines++) {
        write(pieces, lines);
        store.keys = 0;
        String text = read(followed);
        assertThat(store.keys).isLessThanOrEqualTo(2);
        assertThat(text).isEqualTo(read(new LogReader(store, Runnable::run)));
      }
    }
    assertThat(read(followed))
        .startsWith(line(0, 2))
        .contains("lines were cut here")
        .endsWith(line(3L * SPAN - 1, 2));
  }

  @Test
  void many_followers_of_one_log_read_it_once() {
    for (int pieces = 1; pieces <= 2 * SPAN; pieces++) {
      write(pieces, 100);
    }
    store.keys = 0;
    for (int follower = 0; follower < 100; follower++) {
      assertThat(read(followed)).hasSizeGreaterThan(10_000);
    }
    assertThat(store.keys).isEqualTo(2 * SPAN);
  }

  @Test
  void what_was_read_is_bounded_in_bytes() {
    var cache = new LogCache(100_000);
    for (int i = 0; i < 50; i++) {
      var head = new LogHead(TaskId.parse("t" + i), 1, 1, "w~1", NOW, SPAN, 1, 100, 0, false);
      cache.put(
          Keys.logHead(head.task(), 1),
          new LogCache.Known(1, head, new TreeMap<>(), "x".repeat(10_000)));
      assertThat(cache.bytes()).isLessThanOrEqualTo(100_000);
    }
    assertThat(cache.get(Keys.logHead(TaskId.parse("t49"), 1))).isPresent();
    assertThat(cache.get(Keys.logHead(TaskId.parse("t0"), 1))).isEmpty();
  }
}
