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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

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

  /** A list that is one page most of the time: all pages of it as one document. */
  static JsonNode whole(Transport transport, Call call) {
    JsonNode first = transport.send(call).json();
    Optional<String> next = new Page(first).next();
    if (next.isEmpty()) {
      return first;
    }
    ObjectNode all = Json.object();
    ArrayNode items = all.putArray("items");
    items.addAll(new Page(first).items());
    while (next.isPresent()) {
      Page page = new Page(transport.send(call.with("cursor", next)).json());
      items.addAll(page.items());
      next = page.next();
    }
    return all;
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
