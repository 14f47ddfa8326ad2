package io.belfry.cli.verb;

import io.belfry.cli.show.ShellWord;
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

/** Listings that come in pages: one page, or all of them. Threading: confined to its verb. */
public final class Listing {
  private static final int PAGE_MAX = 1000;

  @Option(names = "--limit", paramLabel = "N", description = "How many, 1 to 1000. Default: 50.")
  private @Nullable Integer limit;

  @Option(names = "--cursor", paramLabel = "CURSOR", description = "Goes on where a page ended.")
  private @Nullable String cursor;

  @Option(names = "--all", description = "All of them, however many there are.")
  private boolean all;

  public Listing() {}

  public void check(Verb verb) {
    if (limit != null && (limit < 1 || limit > PAGE_MAX)) {
      throw verb.usage("--limit must be 1 to " + PAGE_MAX + ", but was " + limit + ".");
    }
    if (all && limit != null) {
      throw verb.usage("--all and --limit exclude each other.");
    }
  }

  /** Of one page. */
  public Optional<Integer> limit() {
    return all ? Optional.of(PAGE_MAX) : Optional.ofNullable(limit);
  }

  public Optional<String> cursor() {
    return Optional.ofNullable(cursor);
  }

  /** Shows one page, or all items, as the options say. */
  public void show(
      Report report,
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
      finish(report, document, table, none);
      return;
    }
    Page one = page.get();
    one.items().forEach(item -> row.accept(table, item));
    finish(report, one.document(), table, none);
    one.next()
        .filter(next -> !report.isDocument())
        .ifPresent(next -> report.note("There are more: --all shows them, --cursor "
            + ShellWord.of(next) + " the next page."));
  }

  private static void finish(Report report, JsonNode document, Table table, String none) {
    if (report.isDocument()) {
      report.document(document);
    } else {
      report.table(table, none);
    }
  }
}
