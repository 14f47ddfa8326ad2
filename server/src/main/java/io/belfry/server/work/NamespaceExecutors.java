package io.belfry.server.work;

import io.belfry.core.execute.Executor;
import io.belfry.core.jobs.Supported;
import io.belfry.executors.egress.Egress;
import io.belfry.executors.egress.NameLookups;
import io.belfry.executors.http.Callbacks;
import io.belfry.executors.http.HttpExecutor;
import io.belfry.executors.http.HttpSettings;
import io.belfry.executors.http.Outbound;
import io.belfry.executors.script.ScriptExecutor;
import io.belfry.executors.script.ScriptRules;
import io.belfry.executors.secret.Secrets;
import io.belfry.executors.settings.Plans;
import io.belfry.executors.template.Scope;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorCatalogue;
import io.belfry.server.node.LibrarySettings;
import io.belfry.store.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * How attempts are carried out on this node: what is switched on, for each namespace with its own secrets and rules.
 *
 * <p>Threading: safe.
 */
public final class NamespaceExecutors implements AutoCloseable {
  private static final Set<String> OURS = Set.of(HttpExecutor.TYPE, ScriptExecutor.TYPE);

  private final Time time;
  private final NameLookups names;
  private final Optional<Outbound> outbound;
  private final Optional<ScriptRules> scripts;
  private final EgressBook egress;
  private volatile Supplier<Set<Endpoint>> engines = Set::of;
  private final Set<String> types;
  private final Supported supported;
  /** Submissions come by the thousand with the same settings. */
  private final Plans<ExecutorSpec> checked = new Plans<>(this::checkAnew);

  /**
   * The executors of one process.
   *
   * @param api port of the server of this process, 0 while it does not listen
   */
  public NamespaceExecutors(Config config, Time time, IntSupplier api) {
    this.time = time;
    this.types = Set.copyOf(config.get(ExecutorCatalogue.TYPES));
    this.supported = new Supported(Optional.of(types));
    this.egress = new EgressBook(config, time, api, () -> engines.get());
    this.names = NameLookups.system(time);
    this.outbound = config.get(ExecutorCatalogue.HTTP_ENABLED)
        ? Optional.of(Outbound.open(http(config)))
        : Optional.empty();
    this.scripts = config.get(ExecutorCatalogue.SCRIPT_ENABLED)
        ? Optional.of(scripts(config))
        : Optional.empty();
  }

  /** Refuses rules that cannot be read; opens nothing. */
  public static void checkRules(Config config) {
    var unused = EgressBook.configured(config);
  }

  private static HttpSettings http(Config config) {
    HttpSettings usual = HttpSettings.defaults();
    return config
        .find(ExecutorCatalogue.HTTP_AUTHORITY)
        .map(file -> usual.withTrust(Path.of(file)))
        .orElse(usual);
  }

  /** Of the interpreters that nobody named, those that are not there are left out; one that was named must be. */
  private static ScriptRules scripts(Config config) {
    boolean named = config.isSet(ExecutorCatalogue.SCRIPT_INTERPRETERS);
    var interpreters = new TreeMap<String, Path>();
    config.get(ExecutorCatalogue.SCRIPT_INTERPRETERS).forEach((name, file) -> {
      Path path = Path.of(file);
      if (named || Files.isExecutable(path)) {
        interpreters.put(name, path);
      }
    });
    Path temp = LibrarySettings.data(config).resolve("scripts");
    try {
      Files.createDirectories(temp);
    } catch (IOException e) {
      throw new UncheckedIOException("The folder " + temp + " could not be made.", e);
    }
    return ScriptRules.of(interpreters, temp);
  }

  /**
   * Keeps calls away from servers of the engines that the configuration does not name.
   *
   * @param found where they listen; asked before each call
   */
  public void keepAwayFrom(Supplier<Set<Endpoint>> found) {
    engines = found;
  }

  /** The executors of a namespace, beside the local one. */
  public List<Executor> of(
      String namespace, Function<String, Optional<String>> secrets, Callbacks callbacks) {
    Secrets its = secrets::apply;
    var scope = new Scope(namespace, its, time);
    var all = new ArrayList<Executor>();
    outbound.ifPresent(out -> all.add(
        new HttpExecutor(out, scope, new Egress(egress::rules, names.of(namespace)), callbacks)));
    scripts.ifPresent(rules -> all.add(new ScriptExecutor(rules, scope)));
    return all;
  }

  /** Those that workers elsewhere have, beside the built-in ones. */
  public Set<String> types() {
    return types;
  }

  /** Refuses a type that nobody has, and what no executor of this type could carry out, whatever the payload. */
  public void check(ExecutorSpec spec) {
    supported.checkExecutor(spec.type());
    if (OURS.contains(spec.type())) {
      var unused = checked.of(spec);
    }
  }

  private ExecutorSpec checkAnew(ExecutorSpec spec) {
    if (spec.type().equals(HttpExecutor.TYPE)) {
      HttpExecutor.check(spec);
    } else {
      scripts.ifPresent(rules -> ScriptExecutor.check(spec, rules));
    }
    return spec;
  }

  @Override
  public void close() {
    outbound.ifPresent(Outbound::close);
  }
}
