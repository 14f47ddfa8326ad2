package io.belfry.cli.verb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** JSON given in an option: inline, as {@code @file}, or {@code -} for standard input. Threading: stateless. */
public final class Payload {
  public static final String HELP = "inline JSON, @FILE, or - for standard input.";

  private Payload() {}

  public static Optional<JsonNode> read(Verb verb, String option, @Nullable String text)
      throws IOException {
    if (text == null) {
      return Optional.empty();
    }
    String json = text;
    if (text.equals("-")) {
      json = new String(verb.context().in().readAllBytes(), StandardCharsets.UTF_8);
    } else if (text.startsWith("@")) {
      try {
        json = Files.readString(Path.of(text.substring(1)));
      } catch (NoSuchFileException e) {
        throw new CliException(
            "File " + text.substring(1) + ", given with " + option + ", does not exist.", e);
      }
    }
    try {
      JsonNode node = ExactJson.read(json);
      if (node.isMissingNode()) {
        throw verb.usage(option + " must be JSON, but was empty.");
      }
      return Optional.of(node);
    } catch (ExactJson.Unreadable e) {
      throw verb.usage(option + " must be JSON, but " + e.getMessage()
          + ". Put a string in double quotes: '\"text\"'.");
    }
  }
}
