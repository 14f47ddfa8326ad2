package io.belfry.cli.verb;

import io.belfry.cli.show.ShellQuote;
import io.belfry.cli.show.Table;
import io.belfry.client.Page;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Options of paginated lists: one page, or all items. Threading: confined to its verb. */
public final class PageOptions {
  private static final int PAGE_MAX = 1000;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum number of items to show, 1 to 1000. Default: 50.")
  private @Nullable Integer limit;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Show the page that starts at this cursor, which the previous page printed.")
  private @Nullable String cursor;

  @Option(names = "--all", description = "Show all items, fetched page by page.")
  private boolean all;

  public PageOptions() {}

  public void check(Verb verb) {
    if (limit != null && (limit < 1 || limit > PAGE_MAX)) {
      throw verb.usage("--limit must be 1 to " + PAGE_MAX + ", but was " + limit + ".");
    }
    if (all && limit != null) {
      throw verb.usage("--all and --limit cannot be combined.");
    }
  }

  /** The number of items to request per page. */
  public Optional<Integer> limit() {
    return all ? Optional.of(PAGE_MAX) : Optional.ofNullable(limit);
  }

  public Optional<String> cursor() {
    return Optional.ofNullable(cursor);
  }

  /** Prints one page or all items. */
  public void show(
      Printer printer,
      Supplier<Page> page,
      Supplier<Stream<JsonNode>> items,
      Table table,
      BiConsumer<Table, JsonNode> row,
      String none) {
    if (all) {
      ObjectNode document = JsonNodeFactory.instance.objectNode();
      ArrayNode array = document.putArray("items");
      items.get().forEach(item -> {
        row.accept(table, item);
        array.add(item);
      });
      finish(printer, document, table, none);
      return;
    }
    Page one = page.get();
    one.items().forEach(item -> row.accept(table, item));
    finish(printer, one.document(), table, none);
    one.next()
        .filter(next -> !printer.isDocument())
        .ifPresent(next -> printer.note(
            "There are more items. Show all with --all, or the next page with --cursor "
                + ShellQuote.of(next)));
  }

  private static void finish(Printer printer, JsonNode document, Table table, String none) {
    if (printer.isDocument()) {
      printer.document(document);
    } else {
      printer.table(table, none);
    }
  }
}
