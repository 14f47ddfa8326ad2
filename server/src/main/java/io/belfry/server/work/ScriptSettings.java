package io.belfry.server.work;

import io.belfry.executors.script.ScriptRules;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.server.access.Secret;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorSettings;
import io.belfry.server.node.LibrarySettings;
import io.belfry.server.node.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The script settings of this node: allowed namespaces, operating system user, and directory, which is never inside the data directory.
 *
 * <p>Threading: immutable; closed once.
 *
 * @param made whether the directory is not configured, so that Belfry created it and deletes it at shutdown
 */
record ScriptSettings(ScriptRules rules, Set<String> namespaces, boolean made)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptSettings.class);
  private static final String ALL = "*";
  private static final int NAME_CHARS = 16;

  /** Creates the directory, and tests whether scripts can run as configured. */
  static ScriptSettings open(Config config) {
    check(config);
    Path data = LibrarySettings.data(config);
    boolean alone = config.isSet(ExecutorSettings.SCRIPT_USER);
    ScriptRules rules = ScriptRules.of(interpreters(config), made(config, alone));
    if (alone) {
      String user = config.get(ExecutorSettings.SCRIPT_USER);
      try {
        rules = rules.withUser(user, List.of(data));
      } catch (InvalidException e) {
        throw keyed(e);
      }
    } else {
      LOG.warn(
          "Scripts run as the user of this server, so every user who may define scripts can read its files, including admin.token and secret.key in {}. Set {} to run scripts as another user.",
          data,
          ExecutorSettings.SCRIPT_USER.key());
    }
    return new ScriptSettings(
        rules,
        Set.copyOf(config.get(ExecutorSettings.SCRIPT_NAMESPACES)),
        !config.isSet(ExecutorSettings.SCRIPT_DIRECTORY));
  }

  /** The same refusal with the configuration key. */
  private static InvalidException keyed(InvalidException e) {
    String key = ExecutorSettings.SCRIPT_USER.key();
    return new InvalidException(key, String.valueOf(e.getMessage()).replace(e.field(), key));
  }

  /** Validates the settings without creating or running anything. */
  static void check(Config config) {
    if (!config.get(ExecutorSettings.SCRIPT_ENABLED)) {
      return;
    }
    for (String name : config.get(ExecutorSettings.SCRIPT_NAMESPACES)) {
      if (!name.equals(ALL)) {
        checkName(name);
      }
    }
    checkApart(directory(config), LibrarySettings.data(config));
  }

  private static void checkName(String name) {
    try {
      Namespaces.checked(name);
    } catch (InvalidException e) {
      String key = ExecutorSettings.SCRIPT_NAMESPACES.key();
      throw new InvalidException(key, key + ": " + e.getMessage());
    }
  }

  /** The interpreters: missing ones are left out of the default, while configured ones must exist. */
  private static TreeMap<String, Path> interpreters(Config config) {
    boolean named = config.isSet(ExecutorSettings.SCRIPT_INTERPRETERS);
    var interpreters = new TreeMap<String, Path>();
    config.get(ExecutorSettings.SCRIPT_INTERPRETERS).forEach((name, file) -> {
      Path path = Path.of(file);
      if (named || Files.isExecutable(path)) {
        interpreters.put(name, path);
      }
    });
    return interpreters;
  }

  /** A separate directory for each data directory, so that nodes on one machine do not share it, and a restart finds it again. */
  private static Path directory(Config config) {
    return config
        .find(ExecutorSettings.SCRIPT_DIRECTORY)
        .map(text -> Path.of(text).toAbsolutePath().normalize())
        .orElseGet(() -> {
          String data = LibrarySettings.data(config).normalize().toString();
          return Path.of(System.getProperty("java.io.tmpdir"))
              .toAbsolutePath()
              .resolve("belfry-scripts-" + Secret.hash(data).substring(0, NAME_CHARS));
        });
  }

  private static void checkApart(Path directory, Path data) {
    Path real = real(directory);
    Path realData = real(data);
    Check.that(
        !real.startsWith(realData) && !realData.startsWith(real),
        ExecutorSettings.SCRIPT_DIRECTORY.key(),
        directory.toString(),
        "must not be inside the data directory or contain it (" + data
            + "), because scripts could read its keys and tokens",
        "Choose another directory.");
  }

  /** The real path, resolved as far as it exists. */
  private static Path real(Path path) {
    Path there = path.toAbsolutePath().normalize();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      return there
          .toRealPath()
          .resolve(there.relativize(path.toAbsolutePath().normalize()))
          .normalize();
    } catch (IOException e) {
      throw unusable(path, e.getClass().getSimpleName());
    }
  }

  private static Path made(Config config, boolean alone) {
    Path directory = directory(config);
    var mode = PosixFilePermissions.fromString(alone ? "rwx--x--x" : "rwx------");
    try {
      if (Files.isSymbolicLink(directory)) {
        throw unusable(directory, "it is a link");
      }
      if (!Files.exists(directory)) {
        Path parent = directory.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(mode));
      }
      requireOwn(directory);
      Files.setPosixFilePermissions(directory, mode); // independent of the umask
      return directory.toRealPath();
    } catch (IOException e) {
      throw unusable(directory, e.getClass().getSimpleName());
    }
  }

  /** Refuses a directory of another user, who may have created it in the system's temporary directory. */
  private static void requireOwn(Path directory) throws IOException {
    Object own = Files.getAttribute(Path.of("/proc/self/"), "unix:uid");
    Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(own)) {
      throw unusable(directory, "it belongs to another user");
    }
  }

  private static InvalidException unusable(Path directory, String why) {
    return Check.refusal(
        ExecutorSettings.SCRIPT_DIRECTORY.key(),
        directory.toString(),
        "must be a directory owned by this server's user, because scripts run there (" + why + ")",
        "Choose one that exists or can be created.");
  }

  boolean allow(String namespace) {
    return namespaces.contains(ALL) || namespaces.contains(namespace);
  }

  /** Deletes the directory, unless a script that could not be stopped still has files there. */
  @Override
  public void close() {
    if (!made) {
      return;
    }
    try {
      Files.deleteIfExists(rules.temp());
    } catch (IOException e) {
      LOG.warn("The script directory {} could not be deleted: {}", rules.temp(), e.toString());
    }
  }
}
