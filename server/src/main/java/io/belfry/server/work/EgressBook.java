package io.belfry.server.work;

import io.belfry.executors.egress.EgressRules;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorCatalogue;
import io.belfry.server.config.Setting;
import io.belfry.server.node.LibrarySettings;
import io.belfry.server.node.Namespaces;
import io.belfry.store.Endpoint;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Where jobs may call, by the configuration: never an API of a node, never the servers of the engines, those of the configuration and those that
 * were found. The same object as long as nothing changes, because connections are kept by it.
 *
 * <p>A namespace with rules of its own has them besides those of all namespaces: whatever denies wins, and what is allowed by either is
 * allowed. All other namespaces share one object.
 *
 * <p>Threading: safe.
 */
final class EgressBook {
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final String THIS_MACHINE = "*";
  private static final int PORT_MAX = 65_535;

  /** What the configuration says, for namespaces with rules of their own, and for all others. */
  private record Configured(EgressRules others, Map<String, EgressRules> byNamespace) {
    Configured withOwn(Map<Integer, Set<String>> hosts) {
      var each = new HashMap<String, EgressRules>();
      byNamespace.forEach((name, rules) -> each.put(name, rules.withOwn(hosts)));
      return new Configured(others.withOwn(hosts), Map.copyOf(each));
    }
  }

  private record Made(int api, Set<Endpoint> own, Configured rules, long atNanos) {}

  private final Configured configured;
  private final Time time;
  private final IntSupplier api;
  private final Supplier<Set<Endpoint>> found;
  private final Set<Endpoint> told;
  private volatile Made made;

  /**
   * The book of one process.
   *
   * @param found servers of the engines and APIs of nodes that the configuration need not name; asked once a second at most
   */
  EgressBook(Config config, Time time, IntSupplier api, Supplier<Set<Endpoint>> found) {
    this.configured = configured(config);
    this.time = time;
    this.api = api;
    this.found = found;
    this.told = LibrarySettings.engineEndpoints(config);
    this.made = make(0, told);
  }

  EgressRules rules(String namespace) {
    Configured now = rules();
    return now.byNamespace.getOrDefault(namespace, now.others);
  }

  private Configured rules() {
    Made last = made;
    int port = api.getAsInt();
    if (last.api == port && time.nanos() - last.atNanos < LOOK_NANOS) {
      return last.rules;
    }
    Set<Endpoint> own = new HashSet<>(told);
    own.addAll(found.get());
    return refreshed(port, own);
  }

  /** One at a time: of two that see the same change, the second finds the object that the first made. */
  private synchronized Configured refreshed(int port, Set<Endpoint> own) {
    Made last = made;
    boolean same = last.api == port && last.own.equals(own);
    made = same ? new Made(port, last.own, last.rules, time.nanos()) : make(port, own);
    return made.rules;
  }

  private Made make(int port, Set<Endpoint> own) {
    var hosts = new HashMap<Integer, Set<String>>();
    if (port > 0) {
      add(hosts, new Endpoint(THIS_MACHINE, port));
    }
    own.stream()
        // A server that is being found may have no address yet.
        .filter(each -> !each.host().isBlank() && each.port() >= 1 && each.port() <= PORT_MAX)
        .forEach(each -> add(hosts, each));
    return new Made(port, Set.copyOf(own), configured.withOwn(hosts), time.nanos());
  }

  private static void add(Map<Integer, Set<String>> hosts, Endpoint server) {
    hosts.computeIfAbsent(server.port(), port -> new HashSet<>()).add(server.host());
  }

  /** Refuses rules that cannot be read. */
  static void check(Config config) {
    var unused = configured(config);
  }

  private static Configured configured(Config config) {
    EgressRules all = EgressRules.standard();
    all = allow(all, ExecutorCatalogue.HTTP_ALLOW.key(), config.get(ExecutorCatalogue.HTTP_ALLOW));
    all = deny(all, ExecutorCatalogue.HTTP_DENY.key(), config.get(ExecutorCatalogue.HTTP_DENY));
    var each = new TreeMap<String, EgressRules>();
    for (var rules : named(config, ExecutorCatalogue.HTTP_NAMESPACE_ALLOW)) {
      EgressRules before = each.getOrDefault(rules.namespace, all);
      each.put(rules.namespace, allow(before, rules.key, rules.rules));
    }
    for (var rules : named(config, ExecutorCatalogue.HTTP_NAMESPACE_DENY)) {
      EgressRules before = each.getOrDefault(rules.namespace, all);
      each.put(rules.namespace, deny(before, rules.key, rules.rules));
    }
    return new Configured(all, Map.copyOf(each));
  }

  /** Of one namespace, with the key that an operator knows. */
  private record Named(String namespace, String key, List<String> rules) {}

  private static List<Named> named(Config config, Setting<Map<String, List<String>>> setting) {
    return new TreeMap<>(config.get(setting))
        .entrySet().stream()
            .map(each -> {
              String key = setting.key() + "." + each.getKey();
              keyed(key, () -> Namespaces.checked(each.getKey()));
              return new Named(each.getKey(), key, each.getValue());
            })
            .toList();
  }

  private static EgressRules allow(EgressRules rules, String key, Collection<String> more) {
    EgressRules all = rules;
    for (String rule : more) {
      Function<String, EgressRules> with = all::allow;
      all = keyed(key, () -> with.apply(rule));
    }
    return all;
  }

  private static EgressRules deny(EgressRules rules, String key, Collection<String> more) {
    EgressRules all = rules;
    for (String rule : more) {
      Function<String, EgressRules> with = all::deny;
      all = keyed(key, () -> with.apply(rule));
    }
    return all;
  }

  /** A refusal names the key that an operator knows. */
  private static <T> T keyed(String key, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidException e) {
      throw new InvalidException(key, String.valueOf(e.getMessage()).replace(e.field(), key));
    }
  }
}
