package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.Bloom;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Searches for one task along the way that tasks move: live, in batches, in segments.
 *
 * <pre>
 *   live ──▶ batches ──▶ names of all segments ──▶ filters, cached; of new segments from their heads ──▶ segments that may contain it
 * </pre>
 *
 * <p>The names are read from the expiry keys, which have no values. Merging moves the expiry keys of small segments to the front while the
 * segments stay, so a listing of several pages is read twice: what the first pass missed is in front for the second.
 *
 * <p>Threading: confined to the stages of one search.
 */
final class Search {
  /** Heads per read: fewer bytes than a page. */
  private static final int HEADS = 32;

  private final Store store;
  private final Executor executor;
  private final SegmentFilters filters;
  private final TaskId id;
  private final String text;

  Search(Store store, Executor executor, SegmentFilters filters, TaskId id) {
    this.store = store;
    this.executor = executor;
    this.filters = filters;
    this.id = id;
    this.text = id.toString();
  }

  CompletionStage<Optional<Task>> run() {
    return store
        .get(List.of(Keys.task(id)))
        .thenComposeAsync(
            live -> live.isEmpty()
                ? inBatches(Scan.all(Keys.FRESH_HISTORY))
                : found(Stored.task(live.getFirst())),
            executor);
  }

  private CompletionStage<Optional<Task>> inBatches(Scan scan) {
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              for (Entry entry : page.entries()) {
                Optional<Task> task = SafeDecoder.read(
                        entry, each -> Records.endedBatch(each.value()))
                    .flatMap(this::in);
                if (task.isPresent()) {
                  return found(task.get());
                }
              }
              return page.next()
                  .map(this::inBatches)
                  .orElseGet(
                      () -> list(Scan.all(Keys.SEGMENT_EXPIRY), new LinkedHashSet<>(), true));
            },
            executor);
  }

  /** Reads the names of all segments. */
  private CompletionStage<Optional<Task>> list(Scan scan, Set<String> names, boolean first) {
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              page.entries().forEach(entry -> Keys.expiringName(entry.key()).ifPresent(names::add));
              if (page.next().isPresent()) {
                return list(page.next().get(), names, first);
              }
              boolean onePage = scan.from().length == 0;
              if (first && !onePage) {
                return list(Scan.all(Keys.SEGMENT_EXPIRY), names, false);
              }
              filters.retain(names);
              return filter(names);
            },
            executor);
  }

  private CompletionStage<Optional<Task>> filter(Set<String> names) {
    var candidates = new ArrayList<String>();
    var unread = new ArrayDeque<String>();
    for (String name : names) {
      Optional<Bloom> known = filters.get(name);
      if (known.isEmpty()) {
        unread.add(name);
      } else if (known.get().mayContain(text)) {
        candidates.add(name);
      }
    }
    return readHeads(unread, candidates);
  }

  private CompletionStage<Optional<Task>> readHeads(Deque<String> unread, List<String> candidates) {
    if (unread.isEmpty()) {
      return open(inOrder(candidates));
    }
    var heads = new ArrayList<Key>();
    while (!unread.isEmpty() && heads.size() < HEADS) {
      heads.add(SegmentKeys.head(unread.remove()));
    }
    return store
        .get(heads)
        .thenComposeAsync(
            found -> {
              for (Entry head : found) {
                SafeDecoder.read(head, each -> Records.segmentHead(each.value()).tasks())
                    .ifPresent(filter -> {
                      filters.add(head.key().text(), filter);
                      if (filter.mayContain(text)) {
                        candidates.add(head.key().text());
                      }
                    });
              }
              return readHeads(unread, candidates);
            },
            executor);
  }

  /** Most ids contain an instant, and most tasks end soon after it: the nearest come first, otherwise the newest. */
  private Deque<String> inOrder(List<String> candidates) {
    long about = id.instant().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE / 2);
    candidates.sort(Comparator.comparingLong(name -> Math.abs(SegmentKeys.end(name) - about)));
    return new ArrayDeque<>(candidates);
  }

  private CompletionStage<Optional<Task>> open(Deque<String> names) {
    String name = names.poll();
    if (name == null) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    return store
        .get(List.of(SegmentKeys.tasks(name)))
        .thenComposeAsync(
            entries -> {
              for (Entry entry : entries) {
                Optional<Task> task = SafeDecoder.read(
                        entry, each -> HistorySegment.of(each.value()))
                    .flatMap(segment -> in(entry, segment));
                if (task.isPresent()) {
                  return CompletableFuture.completedStage(task);
                }
              }
              return open(names);
            },
            executor);
  }

  private Optional<Task> in(EndedBatch batch) {
    return batch.tasks().stream().filter(task -> task.id().equals(id)).findFirst();
  }

  private Optional<Task> in(Entry entry, HistorySegment segment) {
    String job = id.jobId().map(JobId::value).orElse(HistorySegment.NO_JOB);
    for (int row = 0; row < segment.count(); row++) {
      int at = row;
      if (segment.job(row).equals(job)
          && SafeDecoder.read(entry, each -> segment.id(at)).filter(id::equals).isPresent()) {
        return SafeDecoder.read(entry, each -> segment.task(at));
      }
    }
    return Optional.empty();
  }

  private static CompletionStage<Optional<Task>> found(Task task) {
    return CompletableFuture.completedStage(Optional.of(task));
  }
}
