package io.belfry.server.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A setting.
 *
 * @param key key with dots between its parts, such as {@code leader.lease}
 * @param usual default value; empty if there is none
 * @param meaning description for the documentation
 * @param knownAs names of this setting in other schedulers
 * @param secret whether the value is never shown
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

  /** The environment variable of the setting: {@code BELFRY_WORKER_IDLE_TIMEOUT} for {@code worker.idleTimeout}. */
  public String variable() {
    return "BELFRY_"
        + key.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  String shown(T value) {
    return secret ? "(hidden)" : kind.show().apply(value);
  }
}
