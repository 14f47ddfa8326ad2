package io.belfry.server.verb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The OpenAPI document: a YAML file in the source, served as JSON. It is converted at the first request, because the conversion would slow down
 * the start.
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
        throw new IllegalStateException("openapi.yaml must be on the class path");
      }
      return JsonMapper.builder()
          .build()
          .writeValueAsBytes(YAMLMapper.builder().build().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
