package io.belfry.cli.verb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** JSON in an option: written out, {@code @file}, or {@code -} for standard input. Threading: stateless. */
public final class Payload {
  public static final String HELP = "JSON, @FILE or - for standard input.";

  private Payload() {}

  public static Optional<JsonNode> read(Verb verb, String option, @Nullable String text)
      throws IOException {
    if (text == null) {
      return Optional.empty();
    }
    String json = text;
    if (text.equals("-")) {
      json = new String(verb.around().in().readAllBytes(), StandardCharsets.UTF_8);
    } else if (text.startsWith("@")) {
      try {
        json = Files.readString(Path.of(text.substring(1)));
      } catch (NoSuchFileException e) {
        throw new Complaint(
            "There is no file " + text.substring(1) + ", which " + option + " names.", e);
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
          + ". A text needs double quotes: '\"text\"'.");
    }
  }
}
