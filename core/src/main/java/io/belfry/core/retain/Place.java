package io.belfry.core.retain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.util.Base64;

/** How far a listing has come. Names no page and no position in one, so that it stays good while tasks move. */
sealed interface Place {

  /**
   * Among unfinished tasks, in the order of their keys.
   *
   * @param after the last one that was looked at; empty at the beginning
   */
  record Unfinished(String after) implements Place {}

  /**
   * Among finished tasks.
   *
   * @param from the lot behind which to begin; empty for the first there is
   * @param to the last lot before those that are left for later; empty when packs are looked at together with the lots
   * @param below only what comes behind this
   * @param packs where packs are looked at next, after the lots; what lies above in them has been given
   */
  record Finished(String from, String to, Spot below, Spot packs) implements Place {
    static final Finished START = new Finished("", "", Spot.TOP, Spot.TOP);
  }

  /**
   * A finished task's place among all: newest first, by id among those that ended in the same millisecond.
   *
   * @param end in milliseconds
   */
  record Spot(long end, String id) implements Comparable<Spot> {
    static final Spot TOP = above(Long.MAX_VALUE);

    /** Above everything that ended in this millisecond; no id begins so. */
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
      case Finished(String from, String to, Spot below, Spot packs) ->
        String.join("\n", "f", from, to, below.encode(), packs.encode());
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
        "must be one that a page came with, because it says where to go on",
        "Leave it out to begin with the first page.");
  }

  static Place start(Query query) {
    return query.wantsUnfinished() ? new Unfinished("") : Finished.START;
  }
}
