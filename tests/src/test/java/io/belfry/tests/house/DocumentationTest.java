package io.belfry.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the documentation lead to each other, are all in the index, and tell users no internals. */
class DocumentationTest {
  private static final Path DOCS = Root.FOLDER.resolve("docs");
  private static final Path INDEX = DOCS.resolve("README.md");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ABROAD = Pattern.compile("[a-z]+:.*");
  private static final Pattern VAGUE = Pattern.compile(
      "\\b(somebody|nobody|whoever|told|heard|made up for)\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern TEST_CLASS = Pattern.compile("`[A-Z]\\w*(Test|Scenario|Law)\\b");

  /** An earlier name of a heading, so that links from elsewhere still work. */
  private static final Pattern EARLIER = Pattern.compile("<a id=\"([\\w-]+)\"></a>");

  /** It names the tests that hold what it claims. */
  private static final String NAMES_TESTS = "threat-model.md";

  /** Generated from here on, by the part of the program that the text describes. */
  private static final String GENERATED = "<!-- From here on printed";

  @Test
  void every_link_leads_to_a_page_and_to_a_heading_on_it() throws IOException {
    var broken = new ArrayList<String>();
    for (Path page : pages()) {
      for (String line : prose(page)) {
        LINK.matcher(line)
            .results()
            .map(found -> found.group(1))
            .filter(target -> !ABROAD.matcher(target).matches())
            .filter(target -> !leads(page, target))
            .forEach(target -> broken.add(Root.FOLDER.relativize(page) + " links to " + target));
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void every_page_is_in_the_index() throws IOException {
    String index = Files.readString(INDEX);
    assertThat(listed(DOCS).filter(page -> !page.equals(INDEX)))
        .allSatisfy(page -> assertThat(index).contains("(" + page.getFileName() + ")"));
  }

  @Test
  void pages_for_users_name_the_actor_and_no_classes_of_tests() throws IOException {
    String index = Files.readString(INDEX);
    String forUsers = index.substring(0, index.indexOf("\n## Internals"));
    var found = new ArrayList<String>();
    for (Path page : listed(DOCS).toList()) {
      String name = page.getFileName().toString();
      if (forUsers.contains("(" + name + ")") && !name.equals(NAMES_TESTS)) {
        prose(page).stream()
            .takeWhile(line -> !line.startsWith(GENERATED))
            .filter(
                line -> VAGUE.matcher(line).find() || TEST_CLASS.matcher(line).find())
            .forEach(line -> found.add(name + ": " + line));
      }
    }
    assertThat(found).isEmpty();
  }

  private static Stream<Path> listed(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
    }
  }

  private static List<Path> pages() throws IOException {
    return Stream.concat(
            Stream.concat(listed(Root.FOLDER), listed(DOCS)), listed(DOCS.resolve("adr")))
        .toList();
  }

  /** The lines of a page outside of its code blocks. */
  private static List<String> prose(Path page) throws IOException {
    var lines = new ArrayList<String>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (!code) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static boolean leads(Path page, String target) {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path linked = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(linked)) {
      return false;
    }
    return hash < 0 || anchors(linked).contains(target.substring(hash + 1));
  }

  /** The anchors that the usual viewers give to the headings of a page. */
  private static Set<String> anchors(Path page) {
    try {
      List<String> lines = prose(page);
      Stream<String> headings = lines.stream()
          .filter(line -> line.startsWith("#"))
          .map(line -> line.replaceFirst("^#+ ", "")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
      Stream<String> earlier =
          EARLIER.matcher(String.join("\n", lines)).results().map(found -> found.group(1));
      return Stream.concat(headings, earlier).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
