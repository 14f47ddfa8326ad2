package io.belfry.server.work;

import io.belfry.executors.egress.EgressRules;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorCatalogue;
import io.belfry.server.config.Setting;
import io.belfry.server.node.LibrarySettings;
import io.belfry.store.Endpoint;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Where jobs may call, by the configuration: never our own API, never the servers of the engines, those of the configuration and those that
 * were found. The same object as long as nothing changes, because connections are kept by it.
 *
 * <p>Threading: safe.
 */
final class EgressBook {
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private record Made(int api, Set<Endpoint> engines, EgressRules rules, long atNanos) {}

  private final Config config;
  private final Time time;
  private final IntSupplier api;
  private final Supplier<Set<Endpoint>> found;
  private final Set<Endpoint> told;
  private volatile Made made;

  /**
   * The book of one process.
   *
   * @param found servers of the engines that the configuration need not name; asked once a second at most
   */
  EgressBook(Config config, Time time, IntSupplier api, Supplier<Set<Endpoint>> found) {
    this.config = config;
    this.time = time;
    this.api = api;
    this.found = found;
    this.told = LibrarySettings.engineEndpoints(config);
    this.made = make(0, told);
  }

  EgressRules rules() {
    Made last = made;
    int port = api.getAsInt();
    if (last.api == port && time.nanos() - last.atNanos < LOOK_NANOS) {
      return last.rules;
    }
    Set<Endpoint> engines = new HashSet<>(told);
    engines.addAll(found.get());
    boolean same = last.api == port && last.engines.equals(engines);
    made = same ? new Made(port, last.engines, last.rules, time.nanos()) : make(port, engines);
    return made.rules;
  }

  private Made make(int port, Set<Endpoint> engines) {
    EgressRules rules = configured(config);
    if (port > 0) {
      rules = rules.withOwn("*", port);
    }
    for (Endpoint engine : engines) {
      rules = rules.withOwn(engine.host(), engine.port());
    }
    return new Made(port, Set.copyOf(engines), rules, time.nanos());
  }

  /** What the configuration allows and denies; a refusal if it cannot be read. */
  static EgressRules configured(Config config) {
    EgressRules rules = EgressRules.standard();
    for (String rule : config.get(ExecutorCatalogue.HTTP_ALLOW)) {
      rules = keyed(ExecutorCatalogue.HTTP_ALLOW, rules::allow, rule);
    }
    for (String rule : config.get(ExecutorCatalogue.HTTP_DENY)) {
      rules = keyed(ExecutorCatalogue.HTTP_DENY, rules::deny, rule);
    }
    return rules;
  }

  /** A refusal names the key that an operator knows. */
  private static EgressRules keyed(
      Setting<?> setting, Function<String, EgressRules> with, String rule) {
    try {
      return with.apply(rule);
    } catch (InvalidException e) {
      throw new InvalidException(
          setting.key(), String.valueOf(e.getMessage()).replace(e.field(), setting.key()));
    }
  }
}
