package io.belfry.store.etcd;

import io.belfry.store.Endpoint;
import io.belfry.store.StoreException;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * Makes connections as the settings want them. A connection is made when it is first used.
 *
 * <p>Threading: safe.
 */
final class Channels {
  /** Larger than any answer we ask for: see {@link Reads}. */
  static final int ANSWER_BYTES_MAX = 96 << 20;

  private static final int WINDOW_BYTES = 4 << 20;
  /** etcd cuts off who pings more often than every 5 s; gRPC does not ping more often than every 10 s. */
  private static final long KEEP_ALIVE_SECONDS = 10;

  private final EtcdSettings settings;
  private final Threads threads;
  private final Optional<SslContext> tls;

  Channels(EtcdSettings settings, Optional<SslContext> tls, Threads threads) {
    this.settings = settings;
    this.tls = tls;
    this.threads = threads;
  }

  /** Read before there is any thread, so that a bad file leaves nothing behind. */
  static Optional<SslContext> tls(EtcdSettings settings) {
    return settings.tls() ? Optional.of(context(settings.tlsFiles())) : Optional.empty();
  }

  /** {@code callbacks} run the answers' listeners. */
  ManagedChannel dial(Endpoint endpoint, Executor callbacks) {
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
        .eventLoopGroup(threads.io())
        .channelType(NioSocketChannel.class)
        .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
            settings.timeouts().connect().toMillis())
        .executor(callbacks)
        .offloadExecutor(threads.resolver())
        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(settings.timeouts().probe().toMillis(), TimeUnit.MILLISECONDS)
        .initialFlowControlWindow(WINDOW_BYTES)
        .maxInboundMessageSize(ANSWER_BYTES_MAX)
        .disableRetry();
    tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
    return builder.build();
  }

  private static SslContext context(EtcdSettings.TlsFiles files) {
    try {
      SslContextBuilder builder = GrpcSslContexts.forClient();
      files.authority().ifPresent(ca -> builder.trustManager(ca.toFile()));
      files
          .certificate()
          .ifPresent(cert ->
              builder.keyManager(cert.toFile(), files.key().orElseThrow().toFile()));
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new StoreException.Denied(
          "The TLS files for etcd could not be used (" + e.getMessage()
              + "). etcd.ca and etcd.cert must be PEM certificates, etcd.key a PKCS#8 PEM key without"
              + " password.",
          e);
    }
  }
}
