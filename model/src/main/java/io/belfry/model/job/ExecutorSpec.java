package io.belfry.model.job;

import io.belfry.model.Check;
import java.util.Map;

/**
 * The executor of an attempt and its settings: {@code {type: http, method: POST, url: …}}.
 * The executor interprets the settings; here they are only bounded and made immutable.
 *
 * @param settings in the order given; values are strings, numbers, booleans, lists and maps
 */
public record ExecutorSpec(String type, Map<String, Object> settings) {
  private static final int TYPE_CHARS_MAX = 32;

  public ExecutorSpec {
    Check.name("executor.type", type, TYPE_CHARS_MAX);
    settings = Frozen.map("executor", settings);
  }

  /** A Java handler that workers register under this name. */
  public static ExecutorSpec local(String handler) {
    return new ExecutorSpec(
        "local", Map.of("handler", Check.text("executor.handler", handler, 200)));
  }

  public static ExecutorSpec http(String method, String url) {
    return new ExecutorSpec("http", Frozen.ordered("method", method, "url", url));
  }
}
