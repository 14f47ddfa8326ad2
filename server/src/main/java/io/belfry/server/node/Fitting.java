package io.belfry.server.node;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.ConnectionCatalogue;
import io.belfry.server.config.ExecutorCatalogue;
import io.belfry.server.config.Problems;
import io.belfry.server.config.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How values of the configuration fit together, as the parts that use them say. Those parts throw at the first thing they do not like; here
 * it is put aside with what it is held against, and the rest is tried again, until nothing is wrong any more.
 *
 * <p>Threading: stateless.
 */
public final class Fitting {
  /** What the library calls a setting, where that is not its key. */
  private static final Map<String, String> KEYS = Map.ofEntries(
      Map.entry("node", Catalogue.NODE_NAME.key()),
      Map.entry("address", Catalogue.NODE_ADDRESS.key()),
      Map.entry("store", Catalogue.STORE_URI.key()),
      Map.entry("prefix", Catalogue.STORE_PREFIX.key()),
      Map.entry("stopPatience", Catalogue.SERVER_STOP.key()),
      Map.entry("releaseRate", Catalogue.DISPATCH_RELEASE_RATE.key()),
      Map.entry("grace", Catalogue.DISPATCH_GRACE.key()),
      Map.entry("pendingMax", Catalogue.DISPATCH_PENDING.key()),
      Map.entry("unmatchedAfter", Catalogue.DISPATCH_UNMATCHED.key()),
      Map.entry("strategy", Catalogue.DISPATCH_STRATEGY.key()),
      Map.entry("workerIdleTimeout", Catalogue.WORKER_IDLE.key()),
      Map.entry("taskTimeout", Catalogue.TASK_TIMEOUT.key()),
      Map.entry("retry.max", Catalogue.TASK_RETRY_MAX.key()),
      Map.entry("retry.delay", Catalogue.TASK_RETRY_DELAY.key()),
      Map.entry("retry.backoff", Catalogue.TASK_RETRY_BACKOFF.key()),
      Map.entry("retry.cap", Catalogue.TASK_RETRY_CAP.key()),
      Map.entry("queueSize", Catalogue.TASK_QUEUE_SIZE.key()),
      Map.entry("idempotencyWindow", Catalogue.TASK_IDEMPOTENCY.key()),
      Map.entry("idempotencyKeysMax", Catalogue.TASK_IDEMPOTENCY_KEYS.key()),
      Map.entry("eventBuffer", Catalogue.EVENTS_BUFFER.key()));

  /** Those that are held against each other: one alone would be held against a default, and wrongly so. */
  private static final List<Set<String>> TOGETHER = List.of(
      Set.of(Catalogue.LEADER_LEASE.key(), Catalogue.LEADER_RENEW.key()),
      Set.of(Catalogue.WORKER_LEASE.key(), Catalogue.WORKER_HEARTBEAT.key()),
      Set.of(Catalogue.TASK_RETRY_DELAY.key(), Catalogue.TASK_RETRY_CAP.key()));

  private static final long BODY_MIN = 1L << 10;
  private static final long BODY_MAX = 64L << 20;
  private static final int RATE_MAX = 100_000_000;

  private Fitting() {}

  /** Tells all that does not fit. */
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
        break; // nothing that anybody gave: the rest cannot be reached
      }
      left = left.without(aside);
      wrong = refusal(left);
    }
    namespaces(config, problems);
    limits(config, problems);
    ConnectionCatalogue.check(config, problems);
    files(config, problems);
  }

  private static boolean isGiven(Config config, String key) {
    return Catalogue.ALL.stream()
        .filter(setting -> setting.key().equals(key))
        .anyMatch(config::isSet);
  }

  private static boolean sameWithout(Config left, Set<String> keys) {
    return keys.stream().noneMatch(each -> isGiven(left, each));
  }

  private static List<String> engineKeys() {
    return Catalogue.ALL.stream()
        .map(Setting::key)
        .filter(key -> key.startsWith("store.") || key.startsWith("election."))
        .toList();
  }

  /** Whether the engines can be reached as it is said; the rest is left as it is by default. */
  private static void engine(Config config) {
    List<String> engines = engineKeys();
    List<String> rest = Catalogue.ALL.stream()
        .map(Setting::key)
        .filter(key -> !engines.contains(key) && !key.equals(Catalogue.DATA.key()))
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

  /** The same sentence with the key that an operator knows. */
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
        .get(Catalogue.NAMESPACES)
        .forEach(name -> problems.trying(() -> {
          try {
            Namespaces.checked(name);
          } catch (InvalidException e) {
            throw new InvalidException(
                Catalogue.NAMESPACES.key(), Catalogue.NAMESPACES.key() + ": " + e.getMessage());
          }
        }));
  }

  private static void limits(Config config, Problems problems) {
    problems.trying(() -> Check.between(
        Catalogue.SERVER_START.key(),
        config.get(Catalogue.SERVER_START),
        Duration.ZERO,
        Duration.ofHours(24),
        "a start must end some day"));
    long body = config.get(Catalogue.LIMIT_BODY);
    problems.trying(() -> Check.that(
        body >= BODY_MIN && body <= BODY_MAX,
        Catalogue.LIMIT_BODY.key(),
        body,
        "must lie between 1KiB and 64MiB, because jobs must fit into it and every request may need so much memory",
        "Leave it out for 1MiB."));
    for (Setting<Integer> rate : List.of(Catalogue.LIMIT_RATE, Catalogue.LIMIT_LOGIN_RATE)) {
      problems.trying(() -> Check.between(
          rate.key(), config.get(rate), 1, RATE_MAX, "somebody must be able to ask something"));
    }
  }

  private static void files(Config config, Problems problems) {
    config
        .find(Catalogue.ADMIN_TOKEN_FILE)
        .ifPresent(
            file -> problems.trying(() -> Admin.read(path(Catalogue.ADMIN_TOKEN_FILE, file))));
    if (config.isSet(Catalogue.SECRET_KEY_FILE)) {
      problems.trying(() -> Keys.secretKeys(config, new SecureRandom()));
    }
    for (Setting<String> each : List.of(
        ExecutorCatalogue.HTTP_AUTHORITY,
        Catalogue.STORE_AUTHORITY,
        Catalogue.STORE_CERTIFICATE,
        Catalogue.STORE_KEY,
        Catalogue.ELECTION_AUTHORITY,
        Catalogue.ELECTION_CERTIFICATE,
        Catalogue.ELECTION_KEY)) {
      config.find(each).ifPresent(file -> problems.trying(() -> readable(each, path(each, file))));
    }
    for (Setting<String> each : List.of(Catalogue.STORE_KEY, Catalogue.ELECTION_KEY)) {
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

  /** Refuses a file that could not be read. */
  public static void readable(Setting<?> setting, Path file) {
    Check.that(
        Files.isReadable(file) && !Files.isDirectory(file),
        setting.key(),
        file.toString(),
        "must name a file that can be read",
        "Check the path and its permissions.");
  }
}
