package io.belfry.server.verb;

import io.belfry.library.Belfry;
import io.belfry.library.Settings;
import io.belfry.model.time.Time;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.SubmitRule;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.ConnectionCatalogue;
import io.belfry.server.config.ExecutorCatalogue;
import io.belfry.server.node.AddressFile;
import io.belfry.server.node.DataLock;
import io.belfry.server.node.LibrarySettings;
import io.belfry.server.node.Node;
import io.belfry.server.rest.Api;
import io.belfry.server.work.HandlerJars;
import io.belfry.server.work.NamespaceExecutors;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A running node: what the configuration asks for, started in order and stopped in the opposite one.
 *
 * <p>Threading: started and stopped once; the parts are safe.
 */
public final class Program implements AutoCloseable {
  private final Opened opened;
  private final Address address;
  private final AtomicInteger port = new AtomicInteger();
  private final NamespaceExecutors executors;
  private final HandlerJars handlers;
  private final Consumer<Belfry> own;
  private final Node node;
  private final Api api;

  private Program(Config config, Consumer<Belfry> own, Opened opened) {
    this.opened = opened;
    this.own = own;
    this.address = Address.of(config);
    Path data = LibrarySettings.data(config);
    DataLock lock = DataLock.take(data);
    opened.then(lock::close);
    this.executors = new NamespaceExecutors(config, Time.system(), port::get);
    opened.then(executors::close);
    this.handlers = HandlerJars.in(data.resolve(Path.of(config.get(ExecutorCatalogue.HANDLERS))));
    opened.then(handlers::close);
    this.node = Node.start(config, this::open, this::url);
    opened.then(node::close);
    this.api = Api.start(parts(config), rules(config), address.listener());
    opened.then(api::close);
    port.set(api.port());
    node.announceApi(new InetSocketAddress(address.listener().host(), api.port()));
    AddressFile.write(data, address());
    opened.then(() -> AddressFile.remove(data, address()));
  }

  /** Starts it whole or not at all. */
  public static Program start(Config config) {
    return start(config, belfry -> {});
  }

  /**
   * The same, with handlers of this very program.
   *
   * @param own registers them, for each namespace before it starts
   */
  public static Program start(Config config, Consumer<Belfry> own) {
    var opened = new Opened();
    try {
      return new Program(config, own, opened);
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private Optional<String> url() {
    return port.get() == 0 ? Optional.empty() : Optional.of(address.url(port.get()));
  }

  private Belfry open(Node owner, NamespaceRecord namespace) {
    executors.keepAwayFrom(owner::ownEndpoints);
    Settings settings =
        LibrarySettings.of(owner.config(), namespace.storeName()).executorTypes(executors.types());
    boolean works = owner.config().get(Catalogue.NODE_ROLES).contains("worker");
    if (!works) {
      return Belfry.open(settings);
    }
    settings = settings.healthCheck(handlers::healthy);
    var callbacks = owner.callbacks().of(namespace.scope());
    for (var executor : executors.of(namespace.name(), owner.vault().of(namespace), callbacks)) {
      settings = settings.executor(executor);
    }
    return Belfry.open(settings, belfry -> {
      handlers.register(belfry);
      own.accept(belfry);
    });
  }

  private Api.Parts parts(Config config) {
    return new Api.Parts(
        node.namespaces(),
        node::systemHealth,
        node.book(),
        node::sweepEndedSoon,
        node.tokens(),
        node.sessions(),
        node.vault(),
        node.audit(),
        node.refusals(),
        node.submits(),
        node::hub,
        node.callbacks(),
        executors::check,
        node.time(),
        LibrarySettings.retry(config),
        node.name(),
        Version.text(),
        OpenApi::json);
  }

  private Api.Rules rules(Config config) {
    return new Api.Rules(
        config.get(Catalogue.LIMIT_BODY),
        config.get(Catalogue.LIMIT_RATE),
        config.get(Catalogue.LIMIT_LOGIN_RATE),
        config.get(Catalogue.METRICS_ENABLED),
        config.get(Catalogue.METRICS_ANONYMOUS),
        () -> address.url(port.get()),
        address.insecure(),
        address.secure(),
        Address.clients(config),
        submitRule(config),
        ConnectionCatalogue.limits(config));
  }

  /** Which handlers may be submitted without the right to define. */
  static SubmitRule submitRule(Config config) {
    return new SubmitRule(Catalogue.SUBMIT_HANDLERS.key(), config.get(Catalogue.SUBMIT_HANDLERS));
  }

  /** How it is reached. */
  public String address() {
    return address.url(api.port());
  }

  Api api() {
    return api;
  }

  public Node node() {
    return node;
  }

  boolean isInsecure() {
    return address.insecure();
  }

  @Override
  public void close() {
    opened.close();
  }
}
