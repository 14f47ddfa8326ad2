package io.belfry.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The part of docs/configuration.md that is printed from the catalogue. */
final class ConfigurationDoc {
  static final String WRITE =
      "mvn -pl server -am test -Dtest=ConfigurationDocTest -Dsurefire.failIfNoSpecifiedTests=false -Dbelfry.docs=write";
  static final String BEGIN =
      "<!-- From here on printed from the catalogue of settings: " + WRITE + " -->\n";

  /** What other schedulers let their users set and Belfry has no key for, and why. */
  static final Map<String, String> WITHOUT_KEY = withoutKey();

  private static final String WHOLE = "(whole keys)";

  private ConfigurationDoc() {}

  private static Map<String, String> withoutKey() {
    var all = new LinkedHashMap<String, String>();
    all.put(
        "scan_interval",
        "nothing is polled: the leader knows what is due next and is told of changes");
    all.put(
        "redis.pool_size", "a few connections suffice, because many commits share one round trip");
    all.put(
        "EnableTracing", "not offered yet; logs and events carry the id of each task and attempt");
    return all;
  }

  static String printed() {
    var text = new StringBuilder(BEGIN).append("\n## All settings\n");
    groups().forEach((group, settings) -> {
      text.append("\n### ").append(group).append("\n\n");
      text.append("| key | variable | type | default | meaning |\n|---|---|---|---|---|\n");
      settings.forEach(setting -> text.append(row(setting)));
    });
    text.append("\n## Coming from elsewhere\n\n");
    text.append("What other schedulers call it, and what it is here.\n\n");
    text.append("| there | here | default here |\n|---|---|---|\n");
    for (Setting<?> setting : SettingsCatalog.ALL) {
      for (String known : setting.knownAs()) {
        text.append("| `%s` | `%s` | %s |\n".formatted(known, setting.key(), usual(setting)));
      }
    }
    WITHOUT_KEY.forEach(
        (known, why) -> text.append("| `%s` | none: %s | |\n".formatted(known, why)));
    return text.toString();
  }

  private static Map<String, List<Setting<?>>> groups() {
    var groups = new LinkedHashMap<String, List<Setting<?>>>();
    for (Setting<?> setting : SettingsCatalog.ALL) {
      int dot = setting.key().indexOf('.');
      String group = dot < 0 ? WHOLE : setting.key().substring(0, dot);
      groups.computeIfAbsent(group, g -> new ArrayList<>()).add(setting);
    }
    var titled = new LinkedHashMap<String, List<Setting<?>>>();
    groups.forEach((group, settings) -> titled.put(
        group.equals(WHOLE)
            ? settings.stream().map(Setting::key).collect(Collectors.joining(", "))
            : group,
        settings));
    return titled;
  }

  private static String row(Setting<?> setting) {
    return "| `%s` | `%s` | %s%s | %s | %s |\n"
        .formatted(
            setting.key(),
            setting.variable(),
            setting.kind().name(),
            setting.secret() ? ", secret" : "",
            usual(setting),
            setting.meaning().replace("|", "\\|"));
  }

  private static <T> String usual(Setting<T> setting) {
    Optional<String> shown = setting.usual().map(setting::shown);
    return shown.map(text -> text.isEmpty() ? "empty" : "`" + text + "`").orElse("unset");
  }
}
