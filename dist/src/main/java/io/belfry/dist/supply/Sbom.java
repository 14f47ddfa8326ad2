package io.belfry.dist.supply;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bill of materials of this program in the CycloneDX format: the Java libraries in the jar, as Maven resolved them, and the packages of
 * the web interface from its lock file. Packages that were only used in the build have the scope {@code excluded}.
 *
 * <p>Threading: immutable.
 */
final class Sbom {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final String JAVA = "/META-INF/sbom/belfry.json";
  private static final String UI = "/META-INF/sbom/ui.json";

  private final JsonNode root;

  private Sbom(JsonNode root) {
    this.root = root;
  }

  /** The SBOM of the running program. */
  static Sbom own() {
    return merged(read(JAVA), read(UI));
  }

  static Sbom parse(String json) {
    return new Sbom(JSON.readTree(json));
  }

  private static JsonNode read(String resource) {
    try (InputStream in = Sbom.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("This program was built without its bill of materials ("
            + resource + "). Build it with ./belfry, or use a distribution.");
      }
      return JSON.readTree(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One document with the components of both, sorted for reproducible output. */
  static Sbom merged(JsonNode java, JsonNode ui) {
    var components = new ArrayList<JsonNode>();
    java.path("components").values().forEach(components::add);
    ui.path("components").values().forEach(components::add);
    components.sort(Comparator.comparing(each -> each.path("bom-ref").asString("")));
    ObjectNode root = (ObjectNode) java.deepCopy();
    ArrayNode all = root.putArray("components");
    components.forEach(all::add);
    return new Sbom(root);
  }

  String json() {
    return JSON.writeValueAsString(root);
  }

  List<Component> components() {
    return root.path("components")
        .valueStream()
        .flatMap(each -> Component.of(each.path("purl").asString("")).stream())
        .toList();
  }
}
