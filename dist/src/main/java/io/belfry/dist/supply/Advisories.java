package io.belfry.dist.supply;

import io.belfry.model.Check;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Published security advisories in a format similar to OSV: each with the version ranges that it affects.
 *
 * <p>Threading: immutable.
 *
 * @param compiled date of the last update of the list
 */
record Advisories(LocalDate compiled, List<Advisory> all) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Set<String> ECOSYSTEMS = Set.of("maven", "npm");

  /**
   * A security advisory.
   *
   * @param id such as {@code CVE-2024-7254}
   * @param severity {@code low}, {@code moderate}, {@code high} or {@code critical}
   */
  record Advisory(
      String id,
      String ecosystem,
      String name,
      List<Range> ranges,
      String severity,
      String summary) {

    boolean affects(Component component) {
      return ecosystem.equals(component.ecosystem())
          && name.equals(component.name())
          && ranges.stream()
              .anyMatch(range -> range.has(component.version(), Versions.of(ecosystem)));
    }
  }

  /** Affected versions: from {@code introduced} (inclusive) to {@code fixed} (exclusive). */
  record Range(String introduced, String fixed) {
    boolean has(String version, Comparator<String> order) {
      return order.compare(version, introduced) >= 0 && order.compare(version, fixed) < 0;
    }
  }

  /** A component and an advisory that affects it. */
  record Finding(Component component, Advisory advisory) {}

  /** Parses a list; refuses entries that could never match. */
  static Advisories parse(String json) {
    try {
      JsonNode root = JSON.readTree(json);
      var all = new ArrayList<Advisory>();
      root.path("advisories").values().forEach(each -> all.add(advisory(each)));
      Check.that(
          !all.isEmpty(), "advisories", "", "must list at least one advisory", "Check the file.");
      return new Advisories(LocalDate.parse(text(root, "compiled")), List.copyOf(all));
    } catch (JacksonException | DateTimeParseException e) {
      throw Check.refusal(
          "list",
          String.valueOf(e.getMessage()),
          "must be JSON with the fields compiled (a date) and advisories",
          "Correct the file.");
    }
  }

  private static Advisory advisory(JsonNode node) {
    var ranges = new ArrayList<Range>();
    node.path("ranges")
        .values()
        .forEach(range -> ranges.add(new Range(text(range, "introduced"), text(range, "fixed"))));
    String ecosystem = text(node, "ecosystem");
    Check.that(
        ECOSYSTEMS.contains(ecosystem) && !ranges.isEmpty(),
        "advisories",
        text(node, "id"),
        "must have an ecosystem (maven or npm) and at least one range",
        "Correct the entry.");
    return new Advisory(
        text(node, "id"),
        ecosystem,
        text(node, "package"),
        List.copyOf(ranges),
        text(node, "severity"),
        text(node, "summary"));
  }

  private static String text(JsonNode node, String field) {
    String text = node.path(field).asString("");
    Check.that(
        !text.isEmpty(), field, node.toString(), "must be given for each entry", "Add the field.");
    return text;
  }

  /** The affected components with their advisories, in the order of the components. */
  List<Finding> findings(List<Component> components) {
    return components.stream()
        .flatMap(component -> all.stream()
            .filter(advisory -> advisory.affects(component))
            .map(advisory -> new Finding(component, advisory)))
        .toList();
  }
}
