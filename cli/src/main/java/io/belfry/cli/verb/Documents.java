package io.belfry.cli.verb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;

/**
 * Reads documents from YAML files with one or more documents, or from JSON files. A list, or a listing that Belfry printed, counts as
 * the documents in it. SnakeYAML reads YAML, because Jackson does not resolve anchors.
 *
 * <p>Threading: stateless.
 */
public final class Documents {
  private static final int CHARS_MAX = 64 << 20;

  private Documents() {}

  /**
   * One document and its place.
   *
   * @param number of the document within the file, from 1
   */
  public record Document(String file, int number, JsonNode content) {
    public String place() {
      return file + ", document " + number;
    }
  }

  /** A file that cannot be read or parsed. */
  public record Broken(String file, String why) {}

  /** All documents and unreadable files. */
  public record Found(List<Document> documents, List<Broken> broken) {}

  /** Reads files, folders (recursively, without links that lead outside) and standard input ({@code -}). */
  public static Found read(List<String> places, InputStream in) throws IOException {
    var found = new Found(new ArrayList<>(), new ArrayList<>());
    for (String place : places) {
      if (place.equals("-")) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        parse("standard input", text, false, found);
      } else {
        for (Path file : files(place)) {
          if (leadsOut(file, place)) {
            found
                .broken()
                .add(new Broken(
                    file.toString(),
                    "it is a link to a file outside of " + place
                        + ", and was not read. To read it, name it with --file"));
          } else {
            parse(file, found);
          }
        }
      }
    }
    return found;
  }

  private static List<Path> files(String place) throws IOException {
    Path path = Path.of(place);
    if (!Files.exists(path)) {
      throw new CliException("There is no file " + place + ".");
    }
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> below = Files.walk(path)) {
      List<Path> files = below
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().matches(".*\\.(ya?ml|json)"))
          .sorted()
          .toList();
      if (files.isEmpty()) {
        throw new CliException("There is no .yaml, .yml or .json file in " + place + ".");
      }
      return files;
    }
  }

  /**
   * Whether a file in a folder is a link to a file outside of it. A checkout could use such links to have private files sent to the server or
   * shown in error messages. Links within the folder are allowed; Kubernetes mounts configuration with them.
   */
  private static boolean leadsOut(Path file, String place) throws IOException {
    Path folder = Path.of(place);
    return Files.isDirectory(folder) && !file.toRealPath().startsWith(folder.toRealPath());
  }

  private static void parse(Path file, Found found) {
    try {
      parse(file.toString(), Files.readString(file), file.toString().endsWith(".json"), found);
    } catch (CharacterCodingException e) {
      found.broken().add(new Broken(file.toString(), "it is not UTF-8 text"));
    } catch (IOException e) {
      found
          .broken()
          .add(new Broken(
              file.toString(), "it cannot be read (" + e.getClass().getSimpleName() + ")"));
    }
  }

  private static void parse(String file, String text, boolean json, Found found) {
    List<JsonNode> roots = new ArrayList<>();
    try {
      if (json) {
        roots.add(ExactJson.read(text));
      } else {
        var settings =
            LoadSettings.builder().setLabel(file).setCodePointLimit(CHARS_MAX).build();
        for (Object each : new Load(settings).loadAllFromString(text)) {
          roots.add(ExactJson.of(each));
        }
      }
    } catch (YamlEngineException e) {
      found.broken().add(new Broken(file, firstLines(String.valueOf(e.getMessage()))));
    } catch (ExactJson.Unreadable e) {
      found.broken().add(new Broken(file, String.valueOf(e.getMessage())));
    }
    int number = 0;
    for (JsonNode root : roots) {
      for (JsonNode each : flat(root)) {
        found.documents().add(new Document(file, ++number, each));
      }
    }
  }

  private static List<JsonNode> flat(JsonNode root) {
    if (root.isNull() || root.isMissingNode()) {
      return List.of(); // an empty document between two separators
    }
    JsonNode items = root.path("items");
    if (root.isArray()) {
      return List.copyOf(root.values());
    }
    return items.isArray() ? List.copyOf(items.values()) : List.of(root);
  }

  private static String firstLines(String message) {
    return message
        .lines()
        .map(String::strip)
        .limit(6)
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }
}
