package io.belfry.executors.http;

import io.belfry.executors.egress.CheckedAddresses;
import io.belfry.executors.egress.Target;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProxyAuthenticationProtocolHandler;
import org.eclipse.jetty.client.RedirectProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.WWWAuthenticationProtocolHandler;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of the process, shared by all its HTTP executors. Connections are pooled by the checked addresses and the rules
 * under which they were checked: the request carries these as its tag, and no name is resolved again. The client handles no cookies,
 * redirects, authentication or decompression by itself.
 *
 * <p>Threading: safe.
 */
public final class Outbound implements AutoCloseable {
  static final int HEADERS_MAX = 16 * 1024;

  private static final int REQUEST_HEADERS_MAX = 64 * 1024;
  private static final int THREADS_MIN = 2;
  private static final int THREADS_MAX = 8;
  private static final int QUEUED_MAX = 100_000;
  private static final long TARGET_IDLE_MILLIS = 60_000;

  private final HttpSettings settings;
  private final Optional<KeyStore> trust;
  private final AtomicInteger open = new AtomicInteger();
  private final Lock lock = new ReentrantLock();
  private volatile @Nullable HttpClient client;
  private boolean closed;

  private Outbound(HttpSettings settings) {
    this.settings = settings;
    this.trust = settings.trust().map(TrustedCertificates::with);
  }

  /** Refuses invalid settings. The client is created for the first call, so that a process without calls starts faster. */
  public static Outbound open(HttpSettings settings) {
    return new Outbound(settings);
  }

  private HttpClient client() {
    HttpClient made = client;
    if (made != null) {
      return made;
    }
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(
            "This process is shutting down and makes no more HTTP calls.");
      }
      HttpClient first = client;
      if (first == null) {
        first = make();
        start(first);
        client = first;
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  private HttpClient make() {
    var connector = new ClientConnector();
    connector.setSelectors(1);
    var tls = new SslContextFactory.Client();
    trust.ifPresent(tls::setTrustStore);
    connector.setSslContextFactory(tls);
    var client = new HttpClient(new CallTransport(connector));
    client.setExecutor(threads());
    client.setScheduler(scheduler());
    client.setSocketAddressResolver(Outbound::resolve);
    client.setConnectTimeout(settings.connectTimeout().toMillis());
    client.setIdleTimeout(settings.idle().toMillis());
    client.setDestinationIdleTimeout(TARGET_IDLE_MILLIS);
    // The capacity of the workers bounds the calls: no call waits here while its timeout runs.
    client.setMaxConnectionsPerDestination(Integer.MAX_VALUE);
    client.setMaxRequestsQueuedPerDestination(QUEUED_MAX);
    client.setMaxRequestHeadersSize(REQUEST_HEADERS_MAX);
    client.setMaxResponseHeadersSize(HEADERS_MAX);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.setFollowRedirects(false);
    client.setUserAgentField(null);
    client.addBean(new Connection.Listener() {
      @Override
      public void onOpened(Connection connection) {
        open.incrementAndGet();
      }

      @Override
      public void onClosed(Connection connection) {
        open.decrementAndGet();
      }
    });
    return client;
  }

  private static QueuedThreadPool threads() {
    ThreadFactory factory = named("belfry-http-");
    var threads = new QueuedThreadPool(THREADS_MAX, THREADS_MIN) {
      @Override
      public Thread newThread(Runnable work) {
        return factory.newThread(work);
      }
    };
    threads.setName("belfry-http");
    return threads;
  }

  private static Scheduler scheduler() {
    var executor = new ScheduledThreadPoolExecutor(1, named("belfry-http-timer-"));
    executor.setRemoveOnCancelPolicy(true);
    return new ScheduledExecutorScheduler(executor);
  }

  /** Threads shared by all namespaces. They must not inherit the log of the attempt that happens to start them. */
  private static ThreadFactory named(String prefix) {
    return Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name(prefix, 1)
        .factory();
  }

  private static void start(HttpClient client) {
    try {
      client.start();
    } catch (Exception e) {
      LifeCycle.stop(client);
      throw new IllegalStateException("The HTTP client could not be started.", e);
    }
    client.getContentDecoderFactories().clear();
    client.getProtocolHandlers().remove(RedirectProtocolHandler.NAME);
    client.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
    client.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
  }

  /** A resolver that returns the checked addresses of the request, whatever the host name. */
  private static void resolve(
      String host,
      int port,
      Map<String, Object> context,
      Promise<List<InetSocketAddress>> addresses) {
    if (context.get(Destination.CONTEXT_KEY) instanceof Destination destination
        && destination.getOrigin().getTag() instanceof CheckedAddresses checked) {
      addresses.succeeded(checked.addresses());
    } else {
      addresses.failed(new UnknownHostException(host + " was not checked"));
    }
  }

  Request request(Target target, CheckedAddresses checked) {
    return client().newRequest(target.uri()).tag(checked).idleTimeout(0, TimeUnit.MILLISECONDS);
  }

  /** The number of connections that are open or being opened, used or idle. */
  public int connections() {
    HttpClient made = client;
    int opening = made == null
        ? 0
        : made.getDestinations().stream().mapToInt(CallTransport::opening).sum();
    return Math.max(0, open.get()) + opening;
  }

  /** Closes all connections. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    LifeCycle.stop(client);
  }
}
