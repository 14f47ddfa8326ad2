package io.belfry.server.verb;

import io.belfry.model.Check;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
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

/** The flags that all programs of a node have, and the configuration that comes of them. Threading: confined to the start. */
final class Startup {
  /** Variables that other verbs have a use for. */
  private static final List<String> OTHERS = List.of(
      "BELFRY_URL", "BELFRY_TOKEN", "BELFRY_NAMESPACE", "BELFRY_CONFIG", "BELFRY_JAVA_OPTS");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file with settings (docs/configuration.md). Default: the variable BELFRY_CONFIG, else none.")
  private @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of this node. Default: belfry-data.")
  private @Nullable String data;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where the API listens. Default: 127.0.0.1:8080.")
  private @Nullable String listen;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The same on loopback; 0 takes a free one.")
  private @Nullable Integer port;

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "Where everything is kept: embedded:dir, etcd://…, redis://… Default: embedded, below --data.")
  private @Nullable String store;

  @Option(
      names = "--election",
      paramLabel = "URI",
      description = "Where leaders are elected, if elsewhere.")
  private @Nullable String election;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Any setting; wins over file and environment. May be repeated.")
  private List<String> pairs = new ArrayList<>();

  @Option(
      names = "--insecure-listen",
      description = "Allows listening elsewhere than on loopback without TLS.")
  private boolean insecure;

  @Option(
      names = "--roles",
      paramLabel = "ROLES",
      description = "What the node does: scheduler,worker. Default: both.")
  private @Nullable String roles;

  /** What is configured, later ones over earlier ones. */
  Config config(Map<String, String> environment) {
    return config(environment, Problems.THROWN);
  }

  /** The same, but what is wrong is left out and told. */
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

  /** What the flags do to it, one after the other. */
  private List<UnaryOperator<Config>> settings() {
    var all = new ArrayList<UnaryOperator<Config>>(List.of(
        config -> with(config, Catalogue.DATA.key(), data, "--data"),
        config -> with(config, Catalogue.STORE_URI.key(), store, "--store"),
        config -> with(config, Catalogue.ELECTION_URI.key(), election, "--election"),
        config -> with(config, Catalogue.SERVER_LISTEN.key(), listen, "--listen"),
        this::withPort,
        config -> with(config, Catalogue.NODE_ROLES.key(), roles, "--roles")));
    if (insecure) {
      all.add(config ->
          config.set(Catalogue.SERVER_INSECURE_LISTEN.key(), "true", "--insecure-listen"));
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
        "must not be given beside --listen, which has a port of its own",
        "Leave one of them out.");
    return config.set(Catalogue.SERVER_LISTEN.key(), "127.0.0.1:" + port, "--port");
  }

  /** Whether what the node does was said by a flag. */
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
