package io.belfry.server.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One key of the configuration.
 *
 * @param key with dots between its parts, such as {@code leader.lease}
 * @param usual what it is unless somebody says otherwise; empty: nothing
 * @param meaning in a sentence, for the documentation
 * @param knownAs what other schedulers call it
 * @param secret never shown
 */
public record Setting<T>(
    String key,
    Kind<T> kind,
    Optional<T> usual,
    String meaning,
    List<String> knownAs,
    boolean secret) {

  static <T> Setting<T> of(String key, Kind<T> kind, T usual, String meaning) {
    return new Setting<>(key, kind, Optional.of(usual), meaning, List.of(), false);
  }

  static <T> Setting<T> unset(String key, Kind<T> kind, String meaning) {
    return new Setting<>(key, kind, Optional.empty(), meaning, List.of(), false);
  }

  Setting<T> knownAs(String... names) {
    return new Setting<>(key, kind, usual, meaning, List.of(names), secret);
  }

  Setting<T> hidden() {
    return new Setting<>(key, kind, usual, meaning, knownAs, true);
  }

  /** The variable that sets it: {@code worker.idleTimeout} is {@code BELFRY_WORKER_IDLE_TIMEOUT}. */
  public String variable() {
    return "BELFRY_"
        + key.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  String shown(T value) {
    return secret ? "(hidden)" : kind.show().apply(value);
  }
}
