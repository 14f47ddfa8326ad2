package io.belfry.cli.show;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** The shapes in which an answer can be printed. */
public enum Output {
  TABLE,
  JSON,
  YAML;

  /** The answer as a document, without anything that a terminal would obey; tables are drawn by their verbs. */
  public String document(Object answer) {
    ObjectMapper mapper = switch (this) {
      case JSON ->
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      case YAML ->
        YAMLMapper.builder(new EscapingYaml())
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLWriteFeature.SPLIT_LINES)
            .build();
      case TABLE -> throw new IllegalStateException("A table is drawn by its verb.");
    };
    String text = mapper.writeValueAsString(answer);
    // Whoever prints it ends the last line. More is not taken away: it may be the end of a text of
    // several lines.
    return Controls.escaped(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
  }

  /** One of many documents, in JSON and on one line. */
  public static String line(JsonNode document) {
    return Controls.escaped(document.toString());
  }
}
