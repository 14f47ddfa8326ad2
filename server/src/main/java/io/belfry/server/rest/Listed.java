package io.belfry.server.rest;

import io.belfry.model.Check;
import io.belfry.server.rest.Shares.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/**
 * A page as it is written, item by item: only one item at a time is in memory as more than its bytes. It ends when it is large enough, or when there
 * is no room for the next item; whoever asked goes on by its cursor.
 *
 * <p>Threading: confined to the request.
 */
final class Listed {
  /** A page ends with the item that reaches this. */
  static final int BYTES_MAX = 4 << 20;

  private static final String BEGIN = "{\"items\":[";
  private static final String BETWEEN = ",";

  private final Call call;
  private final Pieces pieces;
  private int count;
  private boolean full;

  Listed(Call call) {
    this.call = call;
    this.pieces = new Pieces(call.holding()::growTo);
    pieces.end(bytes(BEGIN));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  int count() {
    return count;
  }

  /** Writes an item; false if the page ended before it. A page has one item at least, or is refused. */
  boolean add(JsonNode item) {
    if (full) {
      return false;
    }
    long before = pieces.size();
    if (count > 0) {
      pieces.end(bytes(BETWEEN));
    }
    Outcome outcome = pieces.write(item);
    if (outcome != Outcome.TAKEN) {
      if (count == 0) {
        call.holding().refuse(outcome);
      }
      pieces.cutTo(before);
      full = true;
      return false;
    }
    count++;
    full = pieces.size() >= BYTES_MAX;
    return true;
  }

  /** The page, with where to go on, if it does. */
  Answer end(Optional<String> next) {
    String cursor =
        next.map(at -> ",\"next\":" + Call.JSON.writeValueAsString(at)).orElse("");
    pieces.end(bytes("]" + cursor + "}"));
    return Answer.written(pieces);
  }

  /** Some items, and where others follow. */
  record Batch<T>(List<T> items, Optional<String> next) {}

  /**
   * A page of what is asked for at once.
   *
   * @param ask for so many; again for fewer if they do not all fit on the page, because only the last of those that are asked for has a cursor
   */
  static <T> Answer page(
      Call call, IntFunction<Batch<T>> ask, Function<? super T, ? extends JsonNode> form) {
    int limit = call.limit();
    while (true) {
      Batch<T> batch = ask.apply(limit);
      var page = new Listed(call);
      if (batch.items.stream().allMatch(item -> page.add(form.apply(item)))) {
        return page.end(batch.next);
      }
      limit = page.count();
    }
  }

  /**
   * A page of what is in memory already.
   *
   * @param key by which they are sorted; the cursor has it
   */
  static <T> Answer page(
      Call call,
      List<T> all,
      Function<? super T, String> key,
      Function<? super T, ? extends JsonNode> form) {
    Optional<String> after = call.query("cursor").map(Listed::decoded);
    var page = new Listed(call);
    String last = "";
    for (T each : all) {
      String at = key.apply(each);
      if (after.isEmpty() || at.compareTo(after.get()) > 0) {
        if (!page.add(form.apply(each))) {
          return page.end(Optional.of(encoded(last)));
        }
        last = at;
      }
    }
    return page.end(Optional.empty());
  }

  static String encoded(String place) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(place.getBytes(StandardCharsets.UTF_8));
  }

  static String decoded(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw badCursor(cursor);
    }
  }

  static RuntimeException badCursor(String cursor) {
    return Check.refusal(
        "cursor",
        cursor,
        "must be the next of a page before, because it says where to go on",
        "Leave it out for the first page.");
  }
}
