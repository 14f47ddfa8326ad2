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

/** The items of all pages; each page is fetched when the one before it was used up. Threading: confined to its reader. */
final class Pages implements Iterator<JsonNode> {
  private final Function<Optional<String>, Page> fetch;
  private final Queue<JsonNode> ready = new ArrayDeque<>();
  private Optional<String> cursor;
  private boolean begun;

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
    while (ready.isEmpty() && (!begun || cursor.isPresent())) {
      Page page = fetch.apply(cursor);
      begun = true;
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
