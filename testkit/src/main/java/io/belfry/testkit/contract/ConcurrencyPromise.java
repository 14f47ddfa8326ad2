package io.belfry.testkit.contract;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.find;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** With many concurrent clients, no commit is lost and none is applied twice. */
public interface ConcurrencyPromise extends Subject {
  int WRITERS = 12;

  private static void together(int count, IntConsumer body) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?>[] all = IntStream.range(0, count)
          .mapToObj(i -> CompletableFuture.runAsync(() -> body.accept(i), threads))
          .toArray(CompletableFuture[]::new);
      answer(CompletableFuture.allOf(all));
    }
  }

  @Test
  default void no_update_is_lost() {
    Key counter = key(PLAIN, "counter");
    put(store(), counter, "0");
    Store other = another();
    int each = 15;
    together(WRITERS, writer -> {
      Store client = writer % 2 == 0 ? store() : other;
      for (int i = 0; i < each; i++) {
        increment(client, counter);
      }
    });
    assertThat(read(store(), counter)).contains("" + WRITERS * each);
  }

  private static void increment(Store client, Key counter) {
    Outcome outcome;
    do {
      Entry seen = find(client, counter).orElseThrow();
      int next = Integer.parseInt(Subject.text(seen)) + 1;
      outcome = answer(client.commit(
          Commit.when().unchanged(seen).put(counter, bytes("" + next)).build()));
    } while (!(outcome instanceof Outcome.Done));
  }

  @Test
  default void a_key_is_taken_by_exactly_one_of_many() {
    Store other = another();
    for (int round = 0; round < 10; round++) {
      Key prize = key(PLAIN, "prize" + round);
      var winners = ConcurrentHashMap.<Integer>newKeySet();
      together(WRITERS, writer -> {
        Store client = writer % 2 == 0 ? store() : other;
        if (answer(client.commit(
                Commit.when().absent(prize).put(prize, bytes("" + writer)).build()))
            instanceof Outcome.Done) {
          winners.add(writer);
        }
      });
      assertThat(winners).hasSize(1);
      assertThat(read(store(), prize)).contains("" + winners.iterator().next());
    }
  }

  @Test
  default void what_many_write_is_all_there_and_was_all_heard() {
    int each = 100;
    WatchProbe probe = new WatchProbe();
    try (Watch watch = another().watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      together(WRITERS, writer -> {
        var answers = new ArrayList<CompletableFuture<Outcome>>();
        for (int i = 0; i < each; i++) {
          Key key = key(WATCHED, writer + "/" + i);
          answers.add(store()
              .commit(Commit.when().absent(key).put(key, bytes("v")).build())
              .toCompletableFuture());
        }
        answers.forEach(one -> assertThat(answer(one)).isInstanceOf(Outcome.Done.class));
      });
      put(store(), key(WATCHED, "end"), "end");
      List<Key> seen =
          probe.changesUntil(change -> change.key().equals(key(WATCHED, "end"))).stream()
              .flatMap(word -> word.changes().stream())
              .map(Change::key)
              .toList();
      List<Entry> there = scanAll(store(), Scan.all(WATCHED));
      assertThat(there).hasSize(WRITERS * each + 1);
      assertThat(seen).doesNotHaveDuplicates();
      assertThat(new HashSet<>(seen))
          .isEqualTo(new HashSet<>(there.stream().map(Entry::key).toList()));
    }
  }
}
