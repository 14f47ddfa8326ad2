package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Pack;
import io.belfry.core.record.Records;
import io.belfry.core.record.Segment;
import io.belfry.core.record.Stored;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Limits;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Looks for one task the way that tasks go: live, in lots, in packs.
 *
 * <p>Most ids tell an instant, and most tasks end soon after it. So packs are searched from there on in stretches that grow, and only
 * then those that ended before: an outside trigger may name an instant to come. Of each pack the head is read, and the rest only when
 * its filter does not rule the id out.
 *
 * <p>Threading: confined to the stages of one search.
 */
final class Search {
  /** A page ends by its weight where heads are large; where they are small, many are read at once. */
  private static final int HEADS = Limits.SCAN_ENTRIES_MAX;

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long FOREVER = Long.MAX_VALUE;

  private final Store store;
  private final Executor executor;
  private final TaskId id;
  private final String text;

  Search(Store store, Executor executor, TaskId id) {
    this.store = store;
    this.executor = executor;
    this.id = id;
    this.text = id.toString();
  }

  CompletionStage<Optional<Task>> run() {
    return store
        .get(List.of(Keys.task(id)))
        .thenComposeAsync(
            live -> live.isEmpty()
                ? inLots(Scan.all(Keys.FRESH_HISTORY))
                : found(Stored.task(live.getFirst())),
            executor);
  }

  private CompletionStage<Optional<Task>> inLots(Scan scan) {
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              for (Entry entry : page.entries()) {
                Optional<Task> task =
                    Legible.read(entry, each -> Records.segment(each.value())).flatMap(this::in);
                if (task.isPresent()) {
                  return found(task.get());
                }
              }
              return page.next().map(this::inLots).orElseGet(() -> inPacks(stretches()));
            },
            executor);
  }

  private Deque<Scan> stretches() {
    var stretches = new ArrayDeque<Scan>();
    Optional<Instant> told = id.instant();
    if (told.isEmpty()) {
      stretches.add(PackKeys.heads(0, FOREVER, HEADS));
      return stretches;
    }
    long at = Math.max(HOUR, told.get().toEpochMilli());
    stretches.add(PackKeys.heads(at - HOUR, at + 2 * HOUR, HEADS));
    stretches.add(PackKeys.heads(at + 2 * HOUR, at + DAY, HEADS));
    stretches.add(PackKeys.heads(at + DAY, FOREVER, HEADS));
    stretches.add(PackKeys.heads(0, at - HOUR, HEADS));
    return stretches;
  }

  private CompletionStage<Optional<Task>> inPacks(Deque<Scan> stretches) {
    Scan next = stretches.poll();
    return next == null
        ? CompletableFuture.completedStage(Optional.empty())
        : store.scan(next).thenComposeAsync(page -> inPacks(page, stretches), executor);
  }

  private CompletionStage<Optional<Task>> inPacks(Page page, Deque<Scan> stretches) {
    page.next().ifPresent(stretches::addFirst);
    var names = new ArrayDeque<String>();
    for (Entry head : page.entries()) {
      Legible.read(head, each -> Records.packHead(each.value()))
          .filter(each -> each.tasks().mayContain(text))
          .ifPresent(each -> names.add(head.key().text()));
    }
    return open(names, stretches);
  }

  private CompletionStage<Optional<Task>> open(Deque<String> names, Deque<Scan> stretches) {
    String name = names.poll();
    if (name == null) {
      return inPacks(stretches);
    }
    return store
        .get(List.of(PackKeys.tasks(name)))
        .thenComposeAsync(
            entries -> {
              for (Entry entry : entries) {
                Optional<Task> task = Legible.read(entry, each -> Pack.of(each.value()))
                    .flatMap(pack -> in(entry, pack));
                if (task.isPresent()) {
                  return CompletableFuture.completedStage(task);
                }
              }
              return open(names, stretches);
            },
            executor);
  }

  private Optional<Task> in(Segment lot) {
    return lot.tasks().stream().filter(task -> task.id().equals(id)).findFirst();
  }

  private Optional<Task> in(Entry entry, Pack pack) {
    String job = id.jobId().map(JobId::value).orElse(Pack.NO_JOB);
    for (int row = 0; row < pack.count(); row++) {
      int at = row;
      if (pack.job(row).equals(job)
          && Legible.read(entry, each -> pack.id(at)).filter(id::equals).isPresent()) {
        return Legible.read(entry, each -> pack.task(at));
      }
    }
    return Optional.empty();
  }

  private static CompletionStage<Optional<Task>> found(Task task) {
    return CompletableFuture.completedStage(Optional.of(task));
  }
}
