package io.belfry.server.verb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The document that describes the API: kept as YAML, for people, and served as JSON. It is made when somebody first asks, because that
 * takes longer than many another step of a start.
 *
 * <p>Threading: safe.
 */
final class OpenApi {
  private OpenApi() {}

  private static final class Made {
    private static final byte[] JSON = make();
  }

  static byte[] json() {
    return Made.JSON.clone();
  }

  private static byte[] make() {
    try (@Nullable InputStream in = OpenApi.class.getResourceAsStream("/openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("the document lies beside the classes");
      }
      return JsonMapper.builder()
          .build()
          .writeValueAsBytes(YAMLMapper.builder().build().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
