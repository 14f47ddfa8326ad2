package io.belfry.core.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.util.Base64;

/** The position of a listing. It refers to no page and no index, so that it stays valid while tasks move. */
sealed interface Place {

  /**
   * A position among unfinished tasks, ordered by key.
   *
   * @param after the last task that was visited; empty at the beginning
   */
  record Unfinished(String after) implements Place {}

  /**
   * A position among finished tasks.
   *
   * @param from the batch after which to begin; empty for the first
   * @param to the last batch before those left for later; empty if segments are read together with the batches
   * @param below only tasks after this one
   * @param segments where segments are read next, after the batches; their tasks above it have been returned
   */
  record Finished(String from, String to, Spot below, Spot segments) implements Place {
    static final Finished START = new Finished("", "", Spot.TOP, Spot.TOP);
  }

  /**
   * The position of a finished task: newest first, by id among tasks that ended in the same millisecond.
   *
   * @param end in milliseconds
   */
  record Spot(long end, String id) implements Comparable<Spot> {
    static final Spot TOP = above(Long.MAX_VALUE);

    /** Before everything that ended in this millisecond; no id begins like this. */
    static Spot above(long end) {
      return new Spot(end, "\u007f");
    }

    String encode() {
      return end + "\n" + id;
    }

    static Spot decode(String end, String id) {
      return new Spot(Long.parseLong(end), id);
    }

    /** Newest first. */
    @Override
    public int compareTo(Spot other) {
      int byEnd = Long.compare(other.end, end);
      return byEnd != 0 ? byEnd : other.id.compareTo(id);
    }
  }

  default String encode() {
    String text = switch (this) {
      case Unfinished(String after) -> "u\n" + after;
      case Finished(String from, String to, Spot below, Spot segments) ->
        String.join("\n", "f", from, to, below.encode(), segments.encode());
    };
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  static Place decode(String cursor) {
    try {
      String[] parts = new String(Base64.getUrlDecoder().decode(cursor), UTF_8).split("\n", -1);
      if (parts.length == 2 && parts[0].equals("u")) {
        return new Unfinished(parts[1]);
      }
      if (parts.length == 7 && parts[0].equals("f")) {
        return new Finished(
            parts[1], parts[2], Spot.decode(parts[3], parts[4]), Spot.decode(parts[5], parts[6]));
      }
    } catch (IllegalArgumentException e) {
      throw unknown(cursor);
    }
    throw unknown(cursor);
  }

  private static InvalidException unknown(String cursor) {
    return Check.refusal(
        "cursor",
        cursor,
        "must be the cursor of an earlier page, because the listing continues there",
        "Leave it out to start with the first page.");
  }

  static Place start(Query query) {
    return query.wantsUnfinished() ? new Unfinished("") : Finished.START;
  }
}
