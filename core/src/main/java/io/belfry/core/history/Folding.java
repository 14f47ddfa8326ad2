package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Folds batches of finished tasks into segments, one fold at a time.
 *
 * <pre>
 *   check ──▶ a page of batches ── too few, and not for long? wait
 *                 └─▶ decode, a batch per step ──▶ read rollups ──▶ sort ──▶ commit ──▶ check again, after a pause
 * </pre>
 *
 * <p>No step of the loop takes more than some milliseconds, and the pauses keep the whole within the rate limit. A refused commit
 * changed nothing: its data is discarded and read again. A lost answer is handled in the same way, because the batches are
 * gone by then.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Folding {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
  private static final int READ_AT_ONCE = 500;
  /** How long the retention of jobs is cached, and for how many jobs. */
  private static final Duration KEEPS_FOR = Duration.ofSeconds(10);

  private static final int KEEPS_MAX = 20_000;

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainSettings settings;
  private final FoldBlockers debts;
  private final SkippedRecords passedOver;
  private final RetainCounts counts;
  private final BooleanSupplier isBehind;
  private final Map<String, FoldBatch.Keep> keeps = new HashMap<>();
  private long keepsSince;
  /** Batches that could not be folded together. */
  private final Deque<Entry> singly = new ArrayDeque<>();

  private boolean busy;
  /** Where the next page begins: after the last fold, so that no worker's batches wait for another's. */
  private Optional<Key> behind = Optional.empty();
  /** The monotonic time since which there have been too few. */
  private OptionalLong fewSince = OptionalLong.empty();

  Folding(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      FoldBlockers debts,
      SkippedRecords passedOver,
      RetainCounts counts,
      BooleanSupplier isBehind) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.settings = settings;
    this.debts = debts;
    this.passedOver = passedOver;
    this.counts = counts;
    this.isBehind = isBehind;
  }

  void look() {
    if (!busy) {
      busy = true;
      read();
    }
  }

  private void read() {
    Entry one = singly.poll();
    if (one != null) {
      decode(new ArrayDeque<>(List.of(one)), draft(), 0);
      return;
    }
    Scan all = Scan.all(Keys.FRESH_HISTORY).limit(FoldBatch.BATCHES_MAX);
    loop.onResult(
        store.scan(behind.map(all::after).orElse(all)), this::took, failure -> busy = false);
  }

  private void took(Page page) {
    boolean few = page.next().isEmpty();
    boolean wait = few && !page.entries().isEmpty() && !haveWaited();
    if (few && behind.isPresent() && (wait || page.entries().isEmpty())) {
      behind = Optional.empty();
      read();
    } else if (page.entries().isEmpty()) {
      fewSince = OptionalLong.empty();
      busy = false;
    } else if (wait) {
      busy = false;
    } else {
      decode(new ArrayDeque<>(page.entries()), draft(), 0);
    }
  }

  private FoldBatch draft() {
    long now = loop.time().nanos();
    if (now - keepsSince >= KEEPS_FOR.toNanos() || keeps.size() > KEEPS_MAX) {
      keeps.clear();
      keepsSince = now;
    }
    return new FoldBatch(debts, keeps, isBehind.getAsBoolean());
  }

  private boolean haveWaited() {
    long now = loop.time().nanos();
    if (fewSince.isEmpty()) {
      fewSince = OptionalLong.of(now);
    }
    return now - fewSince.getAsLong() >= settings.foldAfter().toNanos();
  }

  private void decode(Deque<Entry> batches, FoldBatch draft, int bytes) {
    Entry next = batches.peek();
    if (next == null || (bytes > 0 && bytes + next.value().length > FoldBatch.BYTES_MAX)) {
      ask(draft);
      return;
    }
    batches.remove();
    behind = Optional.of(next.key());
    int more = bytes;
    boolean room = true;
    try {
      room = draft.add(next);
      more += next.value().length;
    } catch (RuntimeException e) { // whatever a damaged record leads to
      passedOver.add(next.key(), e);
    }
    int sum = more;
    loop.post(room ? () -> decode(batches, draft, sum) : () -> ask(draft));
  }

  private void ask(FoldBatch draft) {
    if (draft.isEmpty()) {
      busy = false;
      return;
    }
    read(new ArrayDeque<>(draft.questions()), new HashMap<>(), draft);
  }

  /** Reads in parts: the store limits the keys per read. */
  private void read(Deque<Key> questions, Map<Key, Entry> answers, FoldBatch draft) {
    if (questions.isEmpty()) {
      tried(draft, () -> {
        draft.sort(answers, settings.tasks());
        loop.post(() -> tried(draft, () -> commit(draft, answers)));
      });
      return;
    }
    List<Key> some = new ArrayList<>();
    while (!questions.isEmpty() && some.size() < READ_AT_ONCE) {
      some.add(questions.remove());
    }
    loop.onResult(
        store.get(some),
        found -> {
          found.forEach(entry -> answers.put(entry.key(), entry));
          read(questions, answers, draft);
        },
        failure -> busy = false);
  }

  /** If one of the batches throws an exception, they are folded one by one; the bad one stays. */
  private void tried(FoldBatch draft, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) { // whatever a damaged record leads to
      if (draft.entries().size() == 1) {
        passedOver.add(draft.entries().getFirst().key(), e);
      } else {
        singly.addAll(draft.entries());
      }
      rest(0);
    }
  }

  private void commit(FoldBatch draft, Map<Key, Entry> answers) {
    Commit.Builder commit = writes.commit();
    draft.addTo(commit, answers, loop.random());
    writes.send(
        commit,
        done -> {
          counts.rollupsDropped.addAndGet(draft.dropped());
          fewSince = OptionalLong.empty(); // not before: undecodable batches may fill pages
          rest(draft.tasks());
        },
        refused -> busy = false);
  }

  /** Pauses for the rate limit, then checks again: there may be more. */
  private void rest(int folded) {
    Duration pause = isBehind.getAsBoolean()
        ? SHORTEST_PAUSE
        : Duration.ofSeconds(1).multipliedBy(folded).dividedBy(settings.foldRate());
    var unused = loop.after(pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause, () -> {
      busy = false;
      look();
    });
  }
}
