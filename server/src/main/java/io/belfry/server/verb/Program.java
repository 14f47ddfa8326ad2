package io.belfry.server.verb;

import io.belfry.library.Belfry;
import io.belfry.library.Settings;
import io.belfry.model.time.Time;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.SubmitRule;
import io.belfry.server.config.AccessSettings;
import io.belfry.server.config.Config;
import io.belfry.server.config.ConnectionSettings;
import io.belfry.server.config.ExecutorSettings;
import io.belfry.server.config.SettingsCatalog;
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
 * A running server: its parts are started in order and stopped in reverse order.
 *
 * <p>Threading: started and stopped once; the parts are safe.
 */
public final class Program implements AutoCloseable {
  private final ClosingStack opened;
  private final Address address;
  private final AtomicInteger port = new AtomicInteger();
  private final NamespaceExecutors executors;
  private final HandlerJars handlers;
  private final Consumer<Belfry> own;
  private final Node node;
  private final Api api;

  private Program(Config config, Consumer<Belfry> own, ClosingStack opened) {
    this.opened = opened;
    this.own = own;
    this.address = Address.of(config);
    Path data = LibrarySettings.data(config);
    DataLock lock = DataLock.take(data);
    opened.push(lock::close);
    this.executors = new NamespaceExecutors(config, Time.system(), port::get);
    opened.push(executors::close);
    this.handlers = HandlerJars.in(data.resolve(Path.of(config.get(ExecutorSettings.HANDLERS))));
    opened.push(handlers::close);
    this.node = Node.start(config, this::open, this::url);
    opened.push(node::close);
    this.api = Api.start(parts(config), rules(config), address.listener());
    opened.push(api::close);
    port.set(api.port());
    node.announceApi(new InetSocketAddress(address.listener().host(), api.port()));
    AddressFile.write(data, address());
    opened.push(() -> AddressFile.remove(data, address()));
  }

  /** Starts the program; if one part fails, closes the others and fails. */
  public static Program start(Config config) {
    return start(config, belfry -> {});
  }

  /**
   * Starts the program with built-in handlers.
   *
   * @param own registers the handlers in each namespace before it starts
   */
  public static Program start(Config config, Consumer<Belfry> own) {
    var opened = new ClosingStack();
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
    executors.denyEndpoints(owner::ownEndpoints);
    Settings settings =
        LibrarySettings.of(owner.config(), namespace.storeName()).executorTypes(executors.types());
    boolean works = owner.config().get(SettingsCatalog.NODE_ROLES).contains("worker");
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
        node.registry(),
        node::sweepDeletedSoon,
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
        config.get(SettingsCatalog.LIMIT_BODY),
        config.get(SettingsCatalog.LIMIT_RATE),
        config.get(SettingsCatalog.LIMIT_LOGIN_RATE),
        config.get(SettingsCatalog.METRICS_ENABLED),
        config.get(AccessSettings.METRICS_ANONYMOUS),
        () -> address.url(port.get()),
        address.insecure(),
        address.secure(),
        Address.clients(config),
        submitRule(config),
        config.find(ConnectionSettings.ANSWERS),
        ConnectionSettings.limits(config));
  }

  /** The handlers to which operators may submit tasks. */
  static SubmitRule submitRule(Config config) {
    return new SubmitRule(
        AccessSettings.SUBMIT_HANDLERS.key(), config.get(AccessSettings.SUBMIT_HANDLERS));
  }

  /** The URL of the API. */
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
