package io.belfry.server.verb;

import io.belfry.model.Check;
import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import io.belfry.server.config.SettingsCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options shared by all commands that run or check a node, and the resulting configuration. Threading: confined to the start. */
final class Startup {
  /** Environment variables used by other commands. */
  private static final List<String> OTHERS = List.of(
      "BELFRY_URL", "BELFRY_TOKEN", "BELFRY_NAMESPACE", "BELFRY_CONFIG", "BELFRY_JAVA_OPTS");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file with settings (docs/configuration.md). Default: $BELFRY_CONFIG, else none.")
  private @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory of this node. Default: belfry-data.")
  private @Nullable String data;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Address and port on which the API listens. Default: 127.0.0.1:8080.")
  private @Nullable String listen;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port on 127.0.0.1 on which the API listens; 0 selects a free port. Default: 8080.")
  private @Nullable Integer port;

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "URI of the store: embedded:dir, etcd://…, redis://… Default: an embedded store in the data directory.")
  private @Nullable String store;

  @Option(
      names = "--election",
      paramLabel = "URI",
      description = "URI of a separate engine for leader election. Default: the store.")
  private @Nullable String election;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set any setting; overrides file and environment. May be repeated.")
  private List<String> pairs = new ArrayList<>();

  @Option(
      names = "--insecure-listen",
      description = "Allow listening on non-loopback addresses without TLS.")
  private boolean insecure;

  @Option(
      names = "--roles",
      paramLabel = "ROLES",
      description = "Roles of the node: scheduler, worker, or both with a comma. Default: both.")
  private @Nullable String roles;

  /** The configuration; later sources override earlier ones. */
  Config config(Map<String, String> environment) {
    return config(environment, Problems.THROWN);
  }

  /** The configuration; invalid values are left out and added to the problems. */
  Config config(Map<String, String> environment, Problems problems) {
    Config config = files(environment, problems);
    for (UnaryOperator<Config> each : settings()) {
      Config before = config;
      config = problems.trying(before, () -> each.apply(before));
    }
    return config;
  }

  private Config files(Map<String, String> environment, Problems problems) {
    Config config = Config.defaults();
    Optional<Path> chosen = Optional.ofNullable(file)
        .or(() -> Optional.ofNullable(environment.get("BELFRY_CONFIG")).map(Path::of));
    if (chosen.isPresent()) {
      String text = problems.trying("", () -> read(chosen.get()));
      config = config.file(text, chosen.get().toString(), problems);
    }
    return config.variables(environment, OTHERS, problems);
  }

  /** The changes made by the flags, in order. */
  private List<UnaryOperator<Config>> settings() {
    var all = new ArrayList<UnaryOperator<Config>>(List.of(
        config -> with(config, SettingsCatalog.DATA.key(), data, "--data"),
        config -> with(config, SettingsCatalog.STORE_URI.key(), store, "--store"),
        config -> with(config, SettingsCatalog.ELECTION_URI.key(), election, "--election"),
        config -> with(config, SettingsCatalog.SERVER_LISTEN.key(), listen, "--listen"),
        this::withPort,
        config -> with(config, SettingsCatalog.NODE_ROLES.key(), roles, "--roles")));
    if (insecure) {
      all.add(config ->
          config.set(SettingsCatalog.SERVER_INSECURE_LISTEN.key(), "true", "--insecure-listen"));
    }
    pairs.forEach(pair -> all.add(config -> config.set(pair)));
    return all;
  }

  private Config withPort(Config config) {
    if (port == null) {
      return config;
    }
    Check.that(
        listen == null,
        "--port",
        port,
        "must not be used together with --listen, which contains a port",
        "Leave one of them out.");
    return config.set(SettingsCatalog.SERVER_LISTEN.key(), "127.0.0.1:" + port, "--port");
  }

  /** Whether the flag --roles was used. */
  boolean namesRoles() {
    return roles != null;
  }

  private static Config with(Config config, String key, @Nullable String value, String by) {
    return value == null ? config : config.set(key, value, by);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw Check.refusal(
          "--config",
          file.toString(),
          "must name a file that can be read (" + e.getClass().getSimpleName() + ")",
          "Check the path and its permissions.");
    }
  }
}
