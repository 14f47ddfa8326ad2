package io.belfry.client;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Iterates over the items of all pages; fetches a page when the previous one is used up. Threading: confined to its reader. */
final class Pages implements Iterator<JsonNode> {
  private final Function<Optional<String>, Page> fetch;
  private final Queue<JsonNode> ready = new ArrayDeque<>();
  private Optional<String> cursor;
  private boolean started;

  private Pages(Optional<String> cursor, Function<Optional<String>, Page> fetch) {
    this.cursor = cursor;
    this.fetch = fetch;
  }

  static Stream<JsonNode> from(Optional<String> cursor, Function<Optional<String>, Page> fetch) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new Pages(cursor, fetch), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty() && (!started || cursor.isPresent())) {
      Page page = fetch.apply(cursor);
      started = true;
      ready.addAll(page.items());
      cursor = page.next();
    }
    return !ready.isEmpty();
  }

  @Override
  public JsonNode next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }
}
