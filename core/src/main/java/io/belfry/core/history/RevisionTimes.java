package io.belfry.core.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Records when the store had reached which revisions: a key at an older revision has not changed since. The stored record lets
 * every leader tell how old a message is, however short its term.
 *
 * <p>Threading: immutable.
 *
 * @param marks oldest first, at most {@value #KEPT}
 */
record RevisionTimes(List<Mark> marks) {
  static final RevisionTimes NONE = new RevisionTimes(List.of());
  /** How often a mark is added. */
  static final Duration EVERY = Duration.ofMinutes(10);

  /** Enough to reach back further than any question. */
  private static final int KEPT = 10;

  record Mark(long revision, Instant at) {}

  RevisionTimes {
    marks = List.copyOf(marks);
  }

  boolean isDue(Instant now) {
    return marks.isEmpty() || !marks.getLast().at.plus(EVERY).isAfter(now);
  }

  /** Adds a mark. Later marks were made by a wrong clock, and are removed. */
  RevisionTimes with(long revision, Instant now) {
    var all = new ArrayList<>(marks);
    all.removeIf(mark -> mark.at.isAfter(now) || mark.revision > revision);
    all.add(new Mark(revision, now));
    return new RevisionTimes(all.subList(Math.max(0, all.size() - KEPT), all.size()));
  }

  /** The newest revision that the store had reached that long ago; none if unknown. */
  long reached(Duration ago, Instant now) {
    return marks.stream()
        .filter(mark -> !mark.at.plus(ago).isAfter(now))
        .mapToLong(Mark::revision)
        .max()
        .orElse(Revision.NONE);
  }

  /** Lines of a revision and the milliseconds of its time. */
  byte[] encode() {
    var text = new StringBuilder();
    marks.forEach(mark ->
        text.append(mark.revision).append(' ').append(mark.at.toEpochMilli()).append('\n'));
    return text.toString().getBytes(UTF_8);
  }

  /** A value that cannot be decoded counts as empty. */
  static RevisionTimes decode(byte[] value) {
    try {
      List<Mark> marks = new String(value, UTF_8)
          .lines()
          .map(line -> line.split(" ", 2))
          .map(parts ->
              new Mark(Long.parseLong(parts[0]), Instant.ofEpochMilli(Long.parseLong(parts[1]))))
          .toList();
      return new RevisionTimes(marks.subList(Math.max(0, marks.size() - KEPT), marks.size()));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return NONE;
    }
  }
}
