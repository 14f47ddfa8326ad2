package io.belfry.server.rest;

import io.belfry.library.JobOperations;
import io.belfry.library.ScannedJob;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A page of the jobs that match. In the order of ids it reads on from where the last page ended, and stops when the page is full; in any
 * other order it reads all jobs, and keeps of them only what the page shows.
 *
 * <p>Threading: confined to the request.
 */
final class JobSearch {
  private static final int READ_AT_ONCE = 500;
  /** So that a filter that matches little does not hold one request for ever: the page is short then, and says where to go on. */
  private static final int LOOKED_AT_MAX = 100_000;

  /** What is wanted. */
  record Wish(
      Optional<String> words,
      Optional<Boolean> enabled,
      Optional<String> label,
      Optional<String> executor,
      Optional<String> queue) {

    Predicate<Job> filter() {
      List<String> parts = words
          .map(text -> List.of(text.toLowerCase(Locale.ROOT).strip().split("\\s+")))
          .orElse(List.of());
      return job -> parts.stream().allMatch(text(job)::contains)
          && enabled.map(wanted -> wanted == job.enabled()).orElse(true)
          && label.map(wanted -> has(job, wanted)).orElse(true)
          && executor.map(job.work().executor().type()::equals).orElse(true)
          && queue.map(job.work().queue()::equals).orElse(true);
    }

    private static String text(Job job) {
      return (job.id() + "\n" + job.name() + "\n" + job.description()).toLowerCase(Locale.ROOT);
    }

    private static boolean has(Job job, String label) {
      int equals = label.indexOf('=');
      Map<String, String> metadata = job.work().metadata();
      return equals < 0
          ? metadata.containsKey(label)
          : label.substring(equals + 1).equals(metadata.get(label.substring(0, equals)));
    }
  }

  /** By what jobs are ordered: a text that sorts like it, so that a cursor can hold it. */
  private enum Order {
    ID,
    NAME,
    NEXT,
    UPDATED;

    String key(ScannedJob found) {
      return switch (this) {
        case ID -> "";
        case NAME -> found.job().name().toLowerCase(Locale.ROOT);
        case NEXT -> millis(found.times().next());
        case UPDATED -> millis(found.job().saved().map(JobVersion::updated));
      };
    }

    /** What has no instant comes last. */
    private static String millis(Optional<Instant> at) {
      return at.map(instant -> "%020d".formatted(Math.max(0, instant.toEpochMilli())))
          .orElse("~");
    }
  }

  /** Where a job stands in the order. */
  private record Place(String key, String id) {
    private static final Comparator<Place> ASCENDING =
        Comparator.comparing(Place::key).thenComparing(Place::id);

    String cursor() {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString((id + "\n" + key).getBytes(StandardCharsets.UTF_8));
    }

    static Place of(String cursor) {
      try {
        String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8)
            .split("\n", 2);
        if (parts.length == 2) {
          return new Place(parts[1], parts[0]);
        }
      } catch (IllegalArgumentException e) {
        throw bad(cursor);
      }
      throw bad(cursor);
    }

    private static RuntimeException bad(String cursor) {
      return Check.refusal(
          "cursor",
          cursor,
          "must be the next of a page before, because it says where to go on",
          "Leave it out for the first page.");
    }
  }

  private record Found(Place place, ScannedJob job) {}

  /** A page. */
  record Page(List<ScannedJob> jobs, Optional<String> next) {}

  private final JobOperations jobs;
  private final Predicate<Job> filter;
  private final Order order;
  private final Comparator<Place> comparator;
  private final boolean backwards;

  JobSearch(JobOperations jobs, Wish wish, String sort) {
    this.jobs = jobs;
    this.filter = wish.filter();
    this.backwards = sort.startsWith("-");
    this.order =
        io.belfry.model.WireName.parse(Order.class, "sort", backwards ? sort.substring(1) : sort);
    this.comparator = backwards ? Place.ASCENDING.reversed() : Place.ASCENDING;
  }

  Page page(Optional<String> cursor, int limit) {
    Optional<Place> after = cursor.map(Place::of);
    return order == Order.ID && !backwards ? byId(after, limit) : sorted(after, limit);
  }

  private Page byId(Optional<Place> after, int limit) {
    var page = new ArrayList<ScannedJob>();
    @Nullable String last = after.map(Place::id).orElse("");
    int looked = 0;
    while (looked < LOOKED_AT_MAX) {
      List<ScannedJob> read = jobs.scan(last, READ_AT_ONCE);
      for (ScannedJob each : read) {
        looked++;
        if (filter.test(each.job())) {
          if (page.size() == limit) {
            return new Page(page, Optional.of(place(page.getLast()).cursor()));
          }
          page.add(each);
        }
        last = each.job().id().value();
      }
      if (read.size() < READ_AT_ONCE) {
        return new Page(page, Optional.empty());
      }
    }
    return new Page(page, Optional.of(new Place("", last).cursor()));
  }

  private Place place(ScannedJob job) {
    return new Place(order.key(job), job.job().id().value());
  }

  private Page sorted(Optional<Place> after, int limit) {
    var best = new PriorityQueue<Found>(Comparator.comparing(Found::place, comparator.reversed()));
    String last = "";
    List<ScannedJob> read;
    do {
      read = jobs.scan(last, READ_AT_ONCE);
      for (ScannedJob each : read) {
        Place place = place(each);
        if (filter.test(each.job())
            && (after.isEmpty() || comparator.compare(place, after.get()) > 0)) {
          best.add(new Found(place, each));
          if (best.size() > limit + 1) {
            best.remove();
          }
        }
        last = each.job().id().value();
      }
    } while (read.size() == READ_AT_ONCE);
    List<Found> all =
        best.stream().sorted(Comparator.comparing(Found::place, comparator)).toList();
    List<Found> shown = all.subList(0, Math.min(limit, all.size()));
    return new Page(
        shown.stream().map(Found::job).toList(),
        all.size() > limit ? Optional.of(shown.getLast().place().cursor()) : Optional.empty());
  }
}
