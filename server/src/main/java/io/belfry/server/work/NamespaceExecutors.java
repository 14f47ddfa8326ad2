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
import io.belfry.executors.secret.Secrets;
import io.belfry.executors.settings.PlanCache;
import io.belfry.executors.template.Scope;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorSettings;
import io.belfry.store.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Creates the enabled executors of this node, for each namespace with its own secrets and egress rules.
 *
 * <p>Threading: safe.
 */
public final class NamespaceExecutors implements AutoCloseable {
  private static final Set<String> OURS = Set.of(HttpExecutor.TYPE, ScriptExecutor.TYPE);

  private final Time time;
  private final NameLookups names;
  private final Optional<Outbound> outbound;
  private final Optional<ScriptSettings> scripts;
  private final NamespaceEgress egress;
  private volatile Supplier<Set<Endpoint>> engines = Set::of;
  private final Set<String> types;
  private final Supported supported;
  /** A cache, because many submissions have the same settings. */
  private final PlanCache<ExecutorSpec> checked = new PlanCache<>(this::checkAnew);

  /**
   * Creates the executors of one process.
   *
   * @param api port of this server's API; 0 before it listens
   */
  public NamespaceExecutors(Config config, Time time, IntSupplier api) {
    this.time = time;
    this.types = Set.copyOf(config.get(ExecutorSettings.TYPES));
    this.supported = new Supported(Optional.of(types));
    this.egress = new NamespaceEgress(config, time, api, () -> engines.get());
    this.names = NameLookups.system(time);
    this.scripts = config.get(ExecutorSettings.SCRIPT_ENABLED)
        ? Optional.of(ScriptSettings.open(config))
        : Optional.empty();
    this.outbound = config.get(ExecutorSettings.HTTP_ENABLED)
        ? Optional.of(Outbound.open(http(config)))
        : Optional.empty();
  }

  /** Refuses invalid egress rules; opens nothing. */
  public static void checkRules(Config config) {
    NamespaceEgress.check(config);
  }

  /** Refuses invalid script settings; opens nothing. */
  public static void checkScripts(Config config) {
    ScriptSettings.check(config);
  }

  private static HttpSettings http(Config config) {
    HttpSettings usual = HttpSettings.defaults();
    return config
        .find(ExecutorSettings.HTTP_AUTHORITY)
        .map(file -> usual.withTrust(Path.of(file)))
        .orElse(usual);
  }

  /**
   * Denies calls to engine servers that are not in the configuration, and to the APIs of all nodes.
   *
   * @param found their addresses; called before each HTTP call
   */
  public void denyEndpoints(Supplier<Set<Endpoint>> found) {
    engines = found;
  }

  /** The executors of a namespace, besides the local one. */
  public List<Executor> of(String namespace, Secrets secrets, Callbacks callbacks) {
    var scope = new Scope(namespace, secrets, time);
    var all = new ArrayList<Executor>();
    outbound.ifPresent(out -> all.add(new HttpExecutor(
        out, scope, new Egress(() -> egress.rules(namespace), names.of(namespace)), callbacks)));
    scripts.ifPresent(its -> all.add(
        its.allow(namespace)
            ? new ScriptExecutor(its.rules(), scope)
            : new ScriptsRefused(namespace)));
    return all;
  }

  /** Executor types that other workers provide, besides the built-in ones. */
  public Set<String> types() {
    return types;
  }

  /** Refuses an unknown executor type, and settings that the executor cannot run with any payload. */
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
      scripts.ifPresent(its -> ScriptExecutor.check(spec, its.rules()));
    }
    return spec;
  }

  @Override
  public void close() {
    outbound.ifPresent(Outbound::close);
    scripts.ifPresent(ScriptSettings::close);
  }
}
