package io.belfry.tests.flood;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Many clients that send a byte a second and connect again when they are cut off, from many addresses of this machine.
 *
 * <p>Threading: one thread of its own works through all connections, an equal part of them every 50 ms.
 */
final class SlowCrowd implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(50);
  private static final int TICKS_PER_SECOND = 20;
  private static final int ADDRESSES = 40;
  private static final List<String> BEGINNINGS = List.of(
      "GET /healthz HTTP/1.1\r\nX: ",
      "",
      "POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n",
      "POST /api/v1/namespaces/default/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n");

  private final Time time = Time.system();
  private final int port;
  private final @Nullable SocketChannel[] channels;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong cutOff = new AtomicLong();
  private final Thread thread;

  SlowCrowd(int port, int size) {
    this.port = port;
    this.channels = new SocketChannel[size];
    this.thread = Thread.ofPlatform().name("slow-crowd").start(this::run);
  }

  int open() {
    return open.get();
  }

  /** How many connections the server has closed. */
  long cutOff() {
    return cutOff.get();
  }

  private void run() {
    long tick = 0;
    long begun = time.nanos();
    while (!stopped.get()) {
      for (int i = (int) (tick % TICKS_PER_SECOND); i < channels.length; i += TICKS_PER_SECOND) {
        step(i);
      }
      tick++;
      LockSupport.parkNanos(begun + tick * TICK.toNanos() - time.nanos());
    }
  }

  private void step(int i) {
    @Nullable SocketChannel channel = channels[i];
    try {
      if (channel == null) {
        channels[i] = connect(i);
        open.incrementAndGet();
      } else if (isClosed(channel)) {
        drop(i, channel);
        cutOff.incrementAndGet();
      } else {
        channel.write(ByteBuffer.wrap(new byte[] {'a'}));
      }
    } catch (IOException e) {
      if (channel != null) {
        drop(i, channel);
        cutOff.incrementAndGet();
      }
    }
  }

  private static boolean isClosed(SocketChannel channel) throws IOException {
    return channel.read(ByteBuffer.allocate(2048)) < 0;
  }

  private SocketChannel connect(int i) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.bind(new InetSocketAddress(address(2 + i % ADDRESSES), 0));
    channel.connect(new InetSocketAddress(address(1), port));
    channel.configureBlocking(false);
    byte[] first = BEGINNINGS.get(i % BEGINNINGS.size()).getBytes(StandardCharsets.US_ASCII);
    channel.write(ByteBuffer.wrap(first));
    return channel;
  }

  private static InetAddress address(int last) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  private void drop(int i, SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    channels[i] = null;
    open.decrementAndGet();
  }

  @Override
  public void close() throws InterruptedException {
    stopped.set(true);
    thread.join();
    for (int i = 0; i < channels.length; i++) {
      SocketChannel channel = channels[i];
      if (channel != null) {
        drop(i, channel);
      }
    }
  }
}
