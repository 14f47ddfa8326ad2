package io.belfry.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The part of docs/configuration.md that is generated from the settings catalog. */
final class ConfigurationDoc {
  static final String WRITE =
      "mvn -pl server -am test -Dtest=ConfigurationDocTest -Dsurefire.failIfNoSpecifiedTests=false -Dbelfry.docs=write";
  static final String BEGIN =
      "<!-- Generated from the settings catalog from here on: " + WRITE + " -->\n";

  /** Settings of other schedulers that Belfry does not need, and why. */
  static final Map<String, String> WITHOUT_KEY = withoutKey();

  private static final String WHOLE = "(whole keys)";

  private ConfigurationDoc() {}

  private static Map<String, String> withoutKey() {
    var all = new LinkedHashMap<String, String>();
    all.put(
        "scan_interval",
        "nothing is polled: the leader knows the next fire times and watches for changes");
    all.put(
        "redis.pool_size",
        "a few connections are enough, because many commits share one round trip");
    all.put(
        "EnableTracing",
        "not supported yet; logs and events contain the id of each task and attempt");
    return all;
  }

  static String printed() {
    var text = new StringBuilder(BEGIN).append("\n## All settings\n");
    groups().forEach((group, settings) -> {
      text.append("\n### ").append(group).append("\n\n");
      text.append(
          "| key | environment variable | type | default | description |\n|---|---|---|---|---|\n");
      settings.forEach(setting -> text.append(row(setting)));
    });
    text.append("\n## Names in other schedulers\n\n");
    text.append(
        "Settings of other schedulers, and the Belfry settings that correspond to them.\n\n");
    text.append("| other scheduler | Belfry | default |\n|---|---|---|\n");
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
