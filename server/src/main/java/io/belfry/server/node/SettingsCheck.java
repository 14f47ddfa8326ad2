package io.belfry.server.node;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.server.config.AccessSettings;
import io.belfry.server.config.Config;
import io.belfry.server.config.ConnectionSettings;
import io.belfry.server.config.ExecutorSettings;
import io.belfry.server.config.Problems;
import io.belfry.server.config.Setting;
import io.belfry.server.config.SettingsCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Validates a configuration with the checks of the parts that use it. Those checks throw at the first problem; this class then resets the
 * rejected setting, together with the settings it is compared with, and checks again until no problem is left.
 *
 * <p>Threading: stateless.
 */
public final class SettingsCheck {
  /** Names of settings in the library that differ from their keys. */
  private static final Map<String, String> KEYS = Map.ofEntries(
      Map.entry("node", SettingsCatalog.NODE_NAME.key()),
      Map.entry("address", SettingsCatalog.NODE_ADDRESS.key()),
      Map.entry("store", SettingsCatalog.STORE_URI.key()),
      Map.entry("prefix", SettingsCatalog.STORE_PREFIX.key()),
      Map.entry("stopPatience", SettingsCatalog.SERVER_STOP.key()),
      Map.entry("releaseRate", SettingsCatalog.DISPATCH_RELEASE_RATE.key()),
      Map.entry("grace", SettingsCatalog.DISPATCH_GRACE.key()),
      Map.entry("pendingMax", SettingsCatalog.DISPATCH_PENDING.key()),
      Map.entry("unmatchedAfter", SettingsCatalog.DISPATCH_UNMATCHED.key()),
      Map.entry("strategy", SettingsCatalog.DISPATCH_STRATEGY.key()),
      Map.entry("workerIdleTimeout", SettingsCatalog.WORKER_IDLE.key()),
      Map.entry("taskTimeout", SettingsCatalog.TASK_TIMEOUT.key()),
      Map.entry("retry.max", SettingsCatalog.TASK_RETRY_MAX.key()),
      Map.entry("retry.delay", SettingsCatalog.TASK_RETRY_DELAY.key()),
      Map.entry("retry.backoff", SettingsCatalog.TASK_RETRY_BACKOFF.key()),
      Map.entry("retry.cap", SettingsCatalog.TASK_RETRY_CAP.key()),
      Map.entry("queueSize", SettingsCatalog.TASK_QUEUE_SIZE.key()),
      Map.entry("idempotencyWindow", SettingsCatalog.TASK_IDEMPOTENCY.key()),
      Map.entry("idempotencyKeysMax", SettingsCatalog.TASK_IDEMPOTENCY_KEYS.key()),
      Map.entry("eventBuffer", SettingsCatalog.EVENTS_BUFFER.key()));

  /** Settings that are compared with each other, and so must be reset together: one alone would be compared with a default. */
  private static final List<Set<String>> TOGETHER = List.of(
      Set.of(SettingsCatalog.LEADER_LEASE.key(), SettingsCatalog.LEADER_RENEW.key()),
      Set.of(SettingsCatalog.WORKER_LEASE.key(), SettingsCatalog.WORKER_HEARTBEAT.key()),
      Set.of(SettingsCatalog.TASK_RETRY_DELAY.key(), SettingsCatalog.TASK_RETRY_CAP.key()));

  private static final long BODY_MIN = 1L << 10;
  private static final long BODY_MAX = 64L << 20;
  private static final int RATE_MAX = 100_000_000;

  private SettingsCheck() {}

  /** Adds all problems. */
  public static void check(Config config, Problems problems) {
    problems.trying(() -> engine(config));
    Config left = config.without(engineKeys());
    Optional<InvalidException> wrong = refusal(left);
    while (wrong.isPresent()) {
      problems.add(wrong.get());
      String key = wrong.get().field();
      Set<String> aside =
          TOGETHER.stream().filter(set -> set.contains(key)).findFirst().orElse(Set.of(key));
      if (aside.stream().noneMatch(each -> isGiven(config, each)) || sameWithout(left, aside)) {
        break; // the problem is not in a configured value, so the rest cannot be checked
      }
      left = left.without(aside);
      wrong = refusal(left);
    }
    namespaces(config, problems);
    limits(config, problems);
    ConnectionSettings.check(config, problems);
    files(config, problems);
  }

  private static boolean isGiven(Config config, String key) {
    return SettingsCatalog.ALL.stream()
        .filter(setting -> setting.key().equals(key))
        .anyMatch(config::isSet);
  }

  private static boolean sameWithout(Config left, Set<String> keys) {
    return keys.stream().noneMatch(each -> isGiven(left, each));
  }

  private static List<String> engineKeys() {
    return SettingsCatalog.ALL.stream()
        .map(Setting::key)
        .filter(key -> key.startsWith("store.") || key.startsWith("election."))
        .toList();
  }

  /** Checks the engine settings, with defaults for the rest. */
  private static void engine(Config config) {
    List<String> engines = engineKeys();
    List<String> rest = SettingsCatalog.ALL.stream()
        .map(Setting::key)
        .filter(key -> !engines.contains(key) && !key.equals(SettingsCatalog.DATA.key()))
        .toList();
    refusal(config.without(rest)).ifPresent(problem -> {
      throw problem;
    });
  }

  private static Optional<InvalidException> refusal(Config config) {
    try {
      var unused = LibrarySettings.of(config, "default").checked();
      return Optional.empty();
    } catch (InvalidException e) {
      return Optional.of(byKey(e));
    }
  }

  /** The same message with the configuration key. */
  private static InvalidException byKey(InvalidException e) {
    String field = e.field();
    String text = String.valueOf(e.getMessage());
    String key = KEYS.getOrDefault(field, field);
    if (text.startsWith(field + " ")) {
      text = key + text.substring(field.length());
    }
    return new InvalidException(
        key,
        text.replace("Set " + field + " to", "Set " + key + " to")
            .replaceAll("(?<!\\.)\\bretry\\.", "task.retry."));
  }

  private static void namespaces(Config config, Problems problems) {
    config
        .get(SettingsCatalog.NAMESPACES)
        .forEach(name -> problems.trying(() -> {
          try {
            Namespaces.checked(name);
          } catch (InvalidException e) {
            throw new InvalidException(
                SettingsCatalog.NAMESPACES.key(),
                SettingsCatalog.NAMESPACES.key() + ": " + e.getMessage());
          }
        }));
  }

  private static void limits(Config config, Problems problems) {
    problems.trying(() -> Check.between(
        SettingsCatalog.SERVER_START.key(),
        config.get(SettingsCatalog.SERVER_START),
        Duration.ZERO,
        Duration.ofHours(24),
        "a start must end eventually"));
    long body = config.get(SettingsCatalog.LIMIT_BODY);
    problems.trying(() -> Check.that(
        body >= BODY_MIN && body <= BODY_MAX,
        SettingsCatalog.LIMIT_BODY.key(),
        body,
        "must be between 1KiB and 64MiB, because jobs must fit into it and every request may use that much memory",
        "Leave it out for 1MiB."));
    for (Setting<Integer> rate :
        List.of(SettingsCatalog.LIMIT_RATE, SettingsCatalog.LIMIT_LOGIN_RATE)) {
      problems.trying(() -> Check.between(
          rate.key(), config.get(rate), 1, RATE_MAX, "clients must be able to send requests"));
    }
  }

  private static void files(Config config, Problems problems) {
    config
        .find(AccessSettings.ADMIN_TOKEN_FILE)
        .ifPresent(
            file -> problems.trying(() -> Admin.read(path(AccessSettings.ADMIN_TOKEN_FILE, file))));
    if (config.isSet(AccessSettings.SECRET_KEY_FILE)) {
      problems.trying(() -> KeyFiles.secretKeys(config, new SecureRandom()));
    }
    for (Setting<String> each : List.of(
        ExecutorSettings.HTTP_AUTHORITY,
        SettingsCatalog.STORE_AUTHORITY,
        SettingsCatalog.STORE_CERTIFICATE,
        SettingsCatalog.STORE_KEY,
        SettingsCatalog.ELECTION_AUTHORITY,
        SettingsCatalog.ELECTION_CERTIFICATE,
        SettingsCatalog.ELECTION_KEY)) {
      config.find(each).ifPresent(file -> problems.trying(() -> readable(each, path(each, file))));
    }
    for (Setting<String> each : List.of(SettingsCatalog.STORE_KEY, SettingsCatalog.ELECTION_KEY)) {
      config
          .find(each)
          .ifPresent(
              file -> problems.trying(() -> FileModes.checkGiven(each.key(), path(each, file))));
    }
  }

  private static Path path(Setting<?> setting, String text) {
    try {
      return Path.of(text);
    } catch (java.nio.file.InvalidPathException e) {
      throw Check.refusal(
          setting.key(), text, "must name a file", "Correct the path (" + e.getReason() + ").");
    }
  }

  /** Refuses a file that cannot be read. */
  public static void readable(Setting<?> setting, Path file) {
    Check.that(
        Files.isReadable(file) && !Files.isDirectory(file),
        setting.key(),
        file.toString(),
        "must name a file that can be read",
        "Check the path and its permissions.");
  }
}
