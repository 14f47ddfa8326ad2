package io.belfry.server.rest;

import io.belfry.library.JobOperations;
import io.belfry.library.JobTimes;
import io.belfry.library.ScannedJob;
import io.belfry.model.WireName;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
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
 * other order it reads all jobs, keeps the places of those that the page shows, and reads these again. One job at a time is in memory.
 *
 * <p>Threading: confined to the request.
 */
final class JobSearch {
  /** Each may weigh half a megabyte. */
  private static final int WRITTEN_AT_ONCE = 8;
  /** So that a filter that matches little does not hold one request for ever: the page is short then, and says where to go on. */
  private static final int LOOKED_AT_MAX = 100_000;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

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
      return Listed.encoded(id + "\n" + key);
    }

    static Place of(String cursor) {
      String[] parts = Listed.decoded(cursor).split("\n", 2);
      if (parts.length < 2) {
        throw Listed.badCursor(cursor);
      }
      return new Place(parts[1], parts[0]);
    }
  }

  private record Found(Place place, JobTimes times) {}

  private final JobOperations jobs;
  private final Predicate<Job> filter;
  private final Order order;
  private final Comparator<Place> comparator;
  private final boolean backwards;
  private final Time time;
  private final long begun;
  private int looked;
  private String last = "";

  JobSearch(JobOperations jobs, Wish wish, String sort, Time time) {
    this.jobs = jobs;
    this.filter = wish.filter();
    this.backwards = sort.startsWith("-");
    this.order = WireName.parse(Order.class, "sort", backwards ? sort.substring(1) : sort);
    this.comparator = backwards ? Place.ASCENDING.reversed() : Place.ASCENDING;
    this.time = time;
    this.begun = time.nanos();
  }

  /**
   * Writes a page.
   *
   * @param page takes a job, or says that it ended before it
   * @return where to go on, if there may be more
   */
  Optional<String> write(Optional<String> cursor, int limit, Predicate<ScannedJob> page) {
    Optional<Place> after = cursor.map(Place::of);
    return order == Order.ID && !backwards ? byId(after, limit, page) : sorted(after, limit, page);
  }

  /** Whether one request may look at more. */
  private boolean goesOn() {
    return looked < LOOKED_AT_MAX && time.nanos() - begun < PATIENCE.toNanos();
  }

  private Optional<String> byId(Optional<Place> after, int limit, Predicate<ScannedJob> page) {
    last = after.map(Place::id).orElse("");
    int[] written = new int[1];
    Optional<String> stopped = jobs.walk(last, found -> {
      looked++;
      if (filter.test(found.job())) {
        if (written[0] == limit || !page.test(found)) {
          return false;
        }
        written[0]++;
      }
      last = found.job().id().value();
      return goesOn();
    });
    return stopped.map(unused -> new Place("", last).cursor());
  }

  private Optional<String> sorted(Optional<Place> after, int limit, Predicate<ScannedJob> page) {
    List<Found> all = best(after, limit + 1);
    List<Found> shown = all.subList(0, Math.min(limit, all.size()));
    Optional<Place> end = Optional.empty();
    for (int from = 0; from < shown.size(); from += WRITTEN_AT_ONCE) {
      List<Found> some = shown.subList(from, Math.min(from + WRITTEN_AT_ONCE, shown.size()));
      Map<String, Job> found =
          jobs.get(some.stream().map(each -> each.place.id()).toList());
      for (Found each : some) {
        @Nullable Job job = found.get(each.place.id());
        // One that was deleted or changed meanwhile is as good as one that never was there.
        if (job != null && filter.test(job) && !page.test(new ScannedJob(job, each.times))) {
          return end.map(Place::cursor);
        }
        end = Optional.of(each.place);
      }
    }
    return all.size() > limit ? end.map(Place::cursor) : Optional.empty();
  }

  /** The first so many in the order, of all that come after the place. */
  private List<Found> best(Optional<Place> after, int count) {
    var best = new PriorityQueue<Found>(Comparator.comparing(Found::place, comparator.reversed()));
    Optional<String> stopped = jobs.walk("", found -> {
      looked++;
      Place place = new Place(order.key(found), found.job().id().value());
      if (filter.test(found.job())
          && (after.isEmpty() || comparator.compare(place, after.get()) > 0)) {
        best.add(new Found(place, found.times()));
        if (best.size() > count) {
          best.remove();
        }
      }
      return goesOn();
    });
    if (stopped.isPresent()) {
      throw Problem.at(
          "sort",
          Problem.Code.INVALID,
          "sort must be id here, because there are more jobs (over " + LOOKED_AT_MAX
              + ") than can be read for another order in one request, or reading them takes longer than "
              + PATIENCE.toSeconds() + " s. Leave it out, and sort what you get.");
    }
    return best.stream().sorted(Comparator.comparing(Found::place, comparator)).toList();
  }
}
