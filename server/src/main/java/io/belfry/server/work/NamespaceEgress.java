package io.belfry.server.work;

import io.belfry.executors.egress.EgressRules;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorSettings;
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
 * The egress rules of each namespace (SSRF protection), from the configuration. APIs of nodes and servers of engines, configured or discovered,
 * are always denied. The rules stay the same object until they change, because connections are pooled by it.
 *
 * <p>A namespace can have additional rules besides the common ones: a deny rule wins, and a call is allowed if either allows it. All other
 * namespaces share one object.
 *
 * <p>Threading: safe.
 */
final class NamespaceEgress {
  private static final long REFRESH_NANOS = Duration.ofSeconds(1).toNanos();
  private static final String THIS_MACHINE = "*";
  private static final int PORT_MAX = 65_535;

  /** The configured rules: for namespaces with additional rules, and for all others. */
  private record Configured(EgressRules others, Map<String, EgressRules> byNamespace) {
    Configured withOwn(Map<Integer, Set<String>> hosts) {
      var each = new HashMap<String, EgressRules>();
      byNamespace.forEach((name, rules) -> each.put(name, rules.withOwn(hosts)));
      return new Configured(others.withOwn(hosts), Map.copyOf(each));
    }
  }

  private record Snapshot(int api, Set<Endpoint> own, Configured rules, long atNanos) {}

  private final Configured configured;
  private final Time time;
  private final IntSupplier api;
  private final Supplier<Set<Endpoint>> found;
  private final Set<Endpoint> configuredEngines;
  private volatile Snapshot snapshot;

  /**
   * Creates the rules of one process.
   *
   * @param found discovered engine servers and APIs of nodes; called once a second at most
   */
  NamespaceEgress(Config config, Time time, IntSupplier api, Supplier<Set<Endpoint>> found) {
    this.configured = configured(config);
    this.time = time;
    this.api = api;
    this.found = found;
    this.configuredEngines = LibrarySettings.engineEndpoints(config);
    this.snapshot = make(0, configuredEngines);
  }

  EgressRules rules(String namespace) {
    Configured now = rules();
    return now.byNamespace.getOrDefault(namespace, now.others);
  }

  private Configured rules() {
    Snapshot last = snapshot;
    int port = api.getAsInt();
    if (last.api == port && time.nanos() - last.atNanos < REFRESH_NANOS) {
      return last.rules;
    }
    Set<Endpoint> own = new HashSet<>(configuredEngines);
    own.addAll(found.get());
    return refreshed(port, own);
  }

  /** Synchronized, so that of two threads that see the same change, the second uses the object of the first. */
  private synchronized Configured refreshed(int port, Set<Endpoint> own) {
    Snapshot last = snapshot;
    boolean same = last.api == port && last.own.equals(own);
    snapshot = same ? new Snapshot(port, last.own, last.rules, time.nanos()) : make(port, own);
    return snapshot.rules;
  }

  private Snapshot make(int port, Set<Endpoint> own) {
    var hosts = new HashMap<Integer, Set<String>>();
    if (port > 0) {
      add(hosts, new Endpoint(THIS_MACHINE, port));
    }
    own.stream()
        // A server that is being discovered may have no address yet.
        .filter(each -> !each.host().isBlank() && each.port() >= 1 && each.port() <= PORT_MAX)
        .forEach(each -> add(hosts, each));
    return new Snapshot(port, Set.copyOf(own), configured.withOwn(hosts), time.nanos());
  }

  private static void add(Map<Integer, Set<String>> hosts, Endpoint server) {
    hosts.computeIfAbsent(server.port(), port -> new HashSet<>()).add(server.host());
  }

  /** Refuses invalid rules. */
  static void check(Config config) {
    var unused = configured(config);
  }

  private static Configured configured(Config config) {
    EgressRules all = EgressRules.standard();
    all = allow(all, ExecutorSettings.HTTP_ALLOW.key(), config.get(ExecutorSettings.HTTP_ALLOW));
    all = deny(all, ExecutorSettings.HTTP_DENY.key(), config.get(ExecutorSettings.HTTP_DENY));
    var each = new TreeMap<String, EgressRules>();
    for (var rules : named(config, ExecutorSettings.HTTP_NAMESPACE_ALLOW)) {
      EgressRules before = each.getOrDefault(rules.namespace, all);
      each.put(rules.namespace, allow(before, rules.key, rules.rules));
    }
    for (var rules : named(config, ExecutorSettings.HTTP_NAMESPACE_DENY)) {
      EgressRules before = each.getOrDefault(rules.namespace, all);
      each.put(rules.namespace, deny(before, rules.key, rules.rules));
    }
    return new Configured(all, Map.copyOf(each));
  }

  /** The rules of one namespace, with their configuration key. */
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

  /** Reads rules; a refusal names the configuration key. */
  private static <T> T keyed(String key, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidException e) {
      throw new InvalidException(key, String.valueOf(e.getMessage()).replace(e.field(), key));
    }
  }
}
