package io.belfry.tests.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads sources line by line and says what does not belong there, and what does instead. */
final class Tidy {
  /**
   * @param within a part of the paths where the text must not stand
   * @param allowedIn parts of paths where the text may stand, because that is its one home
   */
  record Ban(Pattern text, String instead, String within, List<String> allowedIn) {
    Ban(String text, String instead, String... allowedIn) {
      this(Pattern.compile(text), instead, "", List.of(allowedIn));
    }

    static Ban within(String part, String text, String instead, String... allowedIn) {
      return new Ban(Pattern.compile(text), instead, part, List.of(allowedIn));
    }

    boolean appliesTo(String path) {
      return path.contains(within) && allowedIn.stream().noneMatch(path::contains);
    }
  }

  private static final int LINES_MAX = 400;
  private static final String THIS_PACKAGE = "io/belfry/tests/house/";

  private static final List<Ban> BANS = List.of(
      new Ban(
          "Instant\\.now\\(|LocalDate(Time)?\\.now\\(|ZonedDateTime\\.now\\(|System\\.(currentTimeMillis|nanoTime)\\(",
          "take io.belfry.model.time.Time as an argument, so that a test can move it",
          "io/belfry/model/time/SystemTime",
          THIS_PACKAGE),
      new Ban(
          "new Random\\(\\)|new SplittableRandom\\(\\)|Math\\.random\\(|ThreadLocalRandom|UUID\\.randomUUID",
          "take a RandomGenerator as an argument, so that a seed replays it",
          THIS_PACKAGE),
      new Ban("Thread\\.sleep\\(", "wait for what is announced, with a limit", THIS_PACKAGE),
      new Ban(
          "\\.(thenApply|thenAccept|thenRun|thenCompose|thenCombine|whenComplete|handle|exceptionally)Async\\([^,]*\\)\\s*[;.]",
          "name the executor: the default pool belongs to everybody",
          THIS_PACKAGE),
      new Ban(
          "\\b(supply|run)Async\\([^,]*\\)\\s*[;.)]",
          "name the executor: the default pool belongs to everybody",
          THIS_PACKAGE),
      new Ban(
          "\\b(Set|Map)\\.(of|copyOf)\\(.*\\)\\.(forEach|stream|iterator|entrySet|keySet|values)\\(|for \\(.* : (Set|Map)\\.(of|copyOf)\\(",
          "go through a List, or a set that keeps its order: that of Set.of and Map.of changes from run to run, and no seed replays it",
          THIS_PACKAGE),
      new Ban(
          "\\b(class|interface|record|enum) \\w*(Util|Utils|Helper|Helpers|Manager)\\b",
          "name what it does",
          THIS_PACKAGE),
      new Ban("\\b(TODO|FIXME|XXX)\\b", "do it, or open an issue", THIS_PACKAGE),
      new Ban("@Disabled\\b|@Ignore\\b", "mend the test", THIS_PACKAGE),
      new Ban("\\.printStackTrace\\(", "log it, or let it fly", THIS_PACKAGE),
      Ban.within(
          "executors/src/main/",
          "\\bCheck\\.clip\\(",
          "take Redaction.clip: a secret that was cut is not found any more",
          "io/belfry/executors/secret/Redaction",
          "io/belfry/executors/script/ScriptUser"),
      new Ban(
          "catch \\([^)]*\\) \\{\\s*\\}",
          "handle it, or say in the block why nothing is to be done",
          THIS_PACKAGE),
      new Ban(
          "^package .*\\.(util|utils|impl|dto|enums|manager|helper|common|constants)\\b",
          "name the package after its capability",
          THIS_PACKAGE));

  private Tidy() {}

  static List<String> complaints(Path root) throws IOException {
    var complaints = new ArrayList<String>();
    for (Path file : javaFiles(root)) {
      String path = root.relativize(file).toString().replace('\\', '/');
      complaints.addAll(complaintsAbout(path, Files.readAllLines(file)));
    }
    return complaints;
  }

  static List<String> complaintsAbout(String path, List<String> lines) {
    var complaints = new ArrayList<String>();
    if (lines.size() > LINES_MAX) {
      complaints.add(path + ": " + lines.size() + " lines, at most " + LINES_MAX
          + "; split it by responsibility");
    }
    for (int i = 0; i < lines.size(); i++) {
      for (Ban ban : BANS) {
        if (ban.appliesTo(path) && ban.text().matcher(lines.get(i)).find()) {
          complaints.add(
              path + ":" + (i + 1) + ": '" + lines.get(i).strip() + "'; instead, " + ban.instead());
        }
      }
    }
    return complaints;
  }

  /** Every folder with a class says in its package-info.java what it is for. */
  static List<String> packagesWithoutWord(Path root) throws IOException {
    return javaFiles(root).stream()
        .filter(file -> file.toString().contains("src/main/java"))
        .map(Path::getParent)
        .distinct()
        .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
        .map(folder -> root.relativize(folder)
            + ": no package-info.java; say what the package is for, and its law")
        .toList();
  }

  private static List<Path> javaFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }
}
