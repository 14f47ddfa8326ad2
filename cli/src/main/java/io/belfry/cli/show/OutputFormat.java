package io.belfry.cli.show;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Output formats. */
public enum OutputFormat {
  TABLE,
  JSON,
  YAML;

  /** The response as a JSON or YAML document, with control characters escaped. Verbs print tables themselves. */
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
      case TABLE -> throw new IllegalStateException("Verbs print tables themselves.");
    };
    String text = mapper.writeValueAsString(answer);
    // The caller ends the last line. Only one line break is removed: others may belong to a
    // multi-line string.
    return Controls.escaped(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
  }

  /** One of many documents as one line of JSON. */
  public static String line(JsonNode document) {
    return Controls.escaped(document.toString());
  }
}
