package io.belfry.server.config;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.Typo;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The effective configuration, with the source of each value. Later sources override earlier ones: defaults, file, variables, {@code --set}.
 *
 * <p>Threading: immutable.
 */
public final class Config {
  private static final Map<String, Setting<?>> BY_KEY = SettingsCatalog.ALL.stream()
      .collect(Collectors.toUnmodifiableMap(Setting::key, Function.identity()));
  private static final Map<String, Setting<?>> BY_VARIABLE = SettingsCatalog.ALL.stream()
      .collect(Collectors.toUnmodifiableMap(Setting::variable, Function.identity()));
  private static final String VARIABLES = "BELFRY_";

  /** A value and its source. */
  private record Given(Object value, String by) {}

  /**
   * A setting with its effective value.
   *
   * @param value value as written in a variable; empty if there is none, a placeholder if it is secret
   * @param by source: {@code default}, the file, a variable, or {@code --set}
   */
  public record Line(Setting<?> setting, Optional<String> value, String by) {}

  private final Map<String, Given> given;

  private Config(Map<String, Given> given) {
    this.given = given;
  }

  /** The defaults. */
  public static Config defaults() {
    return new Config(Map.of());
  }

  private Config with(Map<String, Given> more) {
    var all = new LinkedHashMap<>(given);
    all.putAll(more);
    return new Config(all);
  }

  /** Adds the values of a YAML file. */
  public Config file(String text, String name) {
    return file(text, name, Problems.THROWN);
  }

  /** Adds the values of a YAML file; invalid ones are left out and added to the problems. */
  public Config file(String text, String name, Problems problems) {
    var found = new LinkedHashMap<String, Given>();
    problems.trying(() -> collect("", Yaml.tree(text, name), found, name, problems));
    return with(found);
  }

  private static void collect(
      String prefix, JsonNode node, Map<String, Given> into, String by, Problems problems) {
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      String key = prefix + each.getKey();
      Setting<?> setting = BY_KEY.get(key);
      if (setting != null) {
        problems.trying(() ->
            into.put(key, new Given(setting.kind().read().of(key, each.getValue()), by)));
      } else if (each.getValue().isObject() && leads(key)) {
        collect(key + ".", each.getValue(), into, by, problems);
      } else {
        problems.add(unknown(key));
      }
    }
  }

  private static boolean leads(String key) {
    return BY_KEY.keySet().stream().anyMatch(known -> known.startsWith(key + "."));
  }

  private static InvalidException unknown(String key) {
    return Check.refusal(
        "configuration",
        key,
        "must contain only known keys, because a mistyped key would silently have no effect",
        Typo.correction(key, BY_KEY.keySet())
            .map(near -> "Did you mean " + near + "?")
            .orElse("docs/configuration.md lists all keys."));
  }

  /** Adds the values of environment variables that begin with {@code BELFRY_}, except {@code others}. */
  public Config variables(Map<String, String> environment, List<String> others) {
    return variables(environment, others, Problems.THROWN);
  }

  /** Adds the values of environment variables; invalid ones are left out and added to the problems. */
  public Config variables(Map<String, String> environment, List<String> others, Problems problems) {
    var found = new LinkedHashMap<String, Given>();
    new TreeMap<>(environment)
        .forEach((name, text) -> problems.trying(() -> {
          if (!name.startsWith(VARIABLES) || others.contains(name)) {
            return;
          }
          Setting<?> setting = BY_VARIABLE.get(name);
          if (setting == null) {
            throw Check.refusal(
                "environment",
                name,
                "must contain only known BELFRY_ variables, because a mistyped one would silently have no effect",
                Typo.correction(name, BY_VARIABLE.keySet())
                    .map(near -> "Did you mean " + near + "?")
                    .orElse("docs/configuration.md lists all of them."));
          }
          found.put(setting.key(), new Given(setting.kind().parse().of(name, text), name));
        }));
    return with(found);
  }

  /** Adds one {@code key=value}. */
  public Config set(String pair) {
    int equals = pair.indexOf('=');
    Check.that(
        equals > 0,
        "--set",
        pair,
        "must be key=value, because it sets one setting",
        "Write for example --set leader.lease=5s.");
    return set(pair.substring(0, equals), pair.substring(equals + 1), "--set");
  }

  /** Adds one value from another source. */
  public Config set(String key, String text, String by) {
    Setting<?> setting = BY_KEY.get(key);
    if (setting == null) {
      throw unknown(key);
    }
    return with(Map.of(key, new Given(setting.kind().parse().of(key, text), by)));
  }

  /** Resets these settings to their defaults. */
  public Config without(Collection<String> keys) {
    var left = new LinkedHashMap<>(given);
    left.keySet().removeAll(keys);
    return new Config(left);
  }

  /** The effective value. */
  public <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(() -> new NoSuchElementException(setting.key() + " has no default"));
  }

  /** The effective value, if there is one. */
  @SuppressWarnings("unchecked") // values of a setting are created by its own kind only
  public <T> Optional<T> find(Setting<T> setting) {
    @Nullable Given value = given.get(setting.key());
    return value == null ? setting.usual() : Optional.of((T) value.value());
  }

  /** Whether a value was set, that is, whether it is not the default. */
  public boolean isSet(Setting<?> setting) {
    return given.containsKey(setting.key());
  }

  /** Every setting with its effective value and source. Secret values are replaced. */
  public List<Line> lines() {
    return SettingsCatalog.ALL.stream().map(this::line).toList();
  }

  private <T> Line line(Setting<T> setting) {
    @Nullable Given value = given.get(setting.key());
    return new Line(
        setting, find(setting).map(setting::shown), value == null ? "default" : value.by());
  }
}
