package io.belfry.server.config;

import io.belfry.model.Check;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads YAML files as trees; tags and duplicate keys are refused. Threading: safe. */
final class Yaml {
  private static final YAMLMapper MAPPER = YAMLMapper.builder(
          YAMLFactory.builder().build())
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  private Yaml() {}

  static JsonNode tree(String text, String name) {
    try {
      JsonNode tree = MAPPER.readTree(text);
      if (tree.isObject()) {
        return tree;
      }
      if (tree.isMissingNode() || tree.isNull()) {
        return MAPPER.createObjectNode();
      }
    } catch (JacksonException e) {
      var at = e.getLocation();
      throw Check.refusal(
          name,
          at == null ? "unreadable" : "invalid at line " + at.getLineNr(),
          "must be a valid YAML file",
          e.getOriginalMessage());
    }
    throw Check.refusal(
        name, "something else", "must contain a map of settings", "See docs/configuration.md.");
  }
}
