package io.belfry.model.job;

import io.belfry.model.Check;
import java.util.Map;

/**
 * Which executor carries out an attempt, and what it is told: {@code {type: http, method: POST, url: …}}.
 * What the settings mean is the executor's business; here they are only bounded and frozen.
 *
 * @param settings in the order given; values are strings, numbers, booleans, lists and maps
 */
public record ExecutorSpec(String type, Map<String, Object> settings) {
  private static final int TYPE_CHARS_MAX = 32;

  public ExecutorSpec {
    Check.name("executor.type", type, TYPE_CHARS_MAX);
    settings = Frozen.map("executor", settings);
  }

  /** A Java function that workers offer under this name. */
  public static ExecutorSpec local(String handler) {
    return new ExecutorSpec(
        "local", Map.of("handler", Check.text("executor.handler", handler, 200)));
  }

  public static ExecutorSpec http(String method, String url) {
    return new ExecutorSpec("http", Frozen.ordered("method", method, "url", url));
  }
}
