package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.record.Bloom;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Pack;
import io.belfry.core.record.Records;
import io.belfry.core.record.Segment;
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
 * Searches for one task along the way that tasks move: live, in lots, in packs.
 *
 * <pre>
 *   live ──▶ lots ──▶ names of all packs ──▶ filters, cached; of new packs from their heads ──▶ packs that may contain it
 * </pre>
 *
 * <p>The names are read from the expiry keys, which have no values. Merging moves the expiry keys of small packs to the front while the
 * packs stay, so a listing of several pages is read twice: what the first pass missed is in front for the second.
 *
 * <p>Threading: confined to the stages of one search.
 */
final class Search {
  /** Heads per read: fewer bytes than a page. */
  private static final int HEADS = 32;

  private final Store store;
  private final Executor executor;
  private final PackFilters filters;
  private final TaskId id;
  private final String text;

  Search(Store store, Executor executor, PackFilters filters, TaskId id) {
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
              return page.next()
                  .map(this::inLots)
                  .orElseGet(() -> list(Scan.all(Keys.PACK_EXPIRY), new LinkedHashSet<>(), true));
            },
            executor);
  }

  /** Reads the names of all packs. */
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
                return list(Scan.all(Keys.PACK_EXPIRY), names, false);
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
      heads.add(PackKeys.head(unread.remove()));
    }
    return store
        .get(heads)
        .thenComposeAsync(
            found -> {
              for (Entry head : found) {
                Legible.read(head, each -> Records.packHead(each.value()).tasks())
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
    candidates.sort(Comparator.comparingLong(name -> Math.abs(PackKeys.end(name) - about)));
    return new ArrayDeque<>(candidates);
  }

  private CompletionStage<Optional<Task>> open(Deque<String> names) {
    String name = names.poll();
    if (name == null) {
      return CompletableFuture.completedStage(Optional.empty());
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
              return open(names);
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
