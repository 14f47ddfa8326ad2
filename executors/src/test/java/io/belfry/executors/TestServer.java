package io.belfry.executors;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/**
 * An HTTP server on loopback that reads requests properly, and answers in any way that a test wants, also improperly.
 *
 * <p>Threading: safe; one virtual thread for each connection.
 */
public final class TestServer implements AutoCloseable {

  /** A request; names of headers in lower case. */
  public record Received(
      String method, String target, Map<String, String> headers, List<String> names, String body) {
    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  /** Answers; what it leaves open stays open. */
  @FunctionalInterface
  public interface Handler {
    void handle(Received request, Socket socket) throws Exception;
  }

  private final ServerSocket server;
  private final String scheme;
  private final Handler handler;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final CountDownLatch firstRequest = new CountDownLatch(1);
  private final CountDownLatch firstEnd = new CountDownLatch(1);

  private TestServer(ServerSocket server, String scheme, Handler handler) {
    this.server = server;
    this.scheme = scheme;
    this.handler = handler;
    Thread.ofVirtual().start(this::accept);
  }

  public static TestServer start(Handler handler) {
    return start(ServerSocketFactory.getDefault(), "http", handler);
  }

  public static TestServer start(ServerSocketFactory factory, String scheme, Handler handler) {
    try {
      return new TestServer(
          factory.createServerSocket(0, 200, InetAddress.getLoopbackAddress()), scheme, handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers everything alike. */
  public static TestServer answering(String status, String contentType, String body) {
    return start((request, socket) -> answer(socket, status, "Content-Type: " + contentType, body));
  }

  public static void answer(Socket socket, String status, String headers, String body)
      throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    String head = "HTTP/1.1 " + status + "\r\n" + (headers.isEmpty() ? "" : headers + "\r\n")
        + "Content-Length: " + bytes.length + "\r\n\r\n";
    write(socket, head + body);
  }

  public static void write(Socket socket, String raw) throws IOException {
    socket.getOutputStream().write(raw.getBytes(UTF_8));
    socket.getOutputStream().flush();
  }

  public int port() {
    return server.getLocalPort();
  }

  public String url(String path) {
    return scheme + "://127.0.0.1:" + port() + path;
  }

  public List<Received> received() {
    return received;
  }

  public Received only() {
    if (received.size() != 1) {
      throw new AssertionError("expected one request, got " + received);
    }
    return received.getFirst();
  }

  public int connections() {
    return accepted.get();
  }

  public void awaitRequest() throws InterruptedException {
    await(firstRequest, "a request");
  }

  /** Until the client has ended a connection. */
  public void awaitEnd() throws InterruptedException {
    await(firstEnd, "the end of a connection");
  }

  private static void await(CountDownLatch latch, String what) throws InterruptedException {
    if (!latch.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("waited for " + what + " in vain");
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        accepted.incrementAndGet();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // closed: no more connections
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      String head = head(in);
      while (!head.isEmpty()) {
        Received request = read(head, in);
        received.add(request);
        firstRequest.countDown();
        handler.handle(request, socket);
        head = head(in);
      }
    } catch (Exception e) {
      // the client went away, or the handler closed the connection
    } finally {
      firstEnd.countDown();
      sockets.remove(socket);
    }
  }

  private static String head(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    int end = 0;
    while (end < 4) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      head.write(b);
      end = b == '\r' || b == '\n' ? end + 1 : 0;
    }
    return head.toString(ISO_8859_1);
  }

  private static Received read(String head, InputStream in) throws IOException {
    List<String> lines = head.lines().toList();
    String[] first = lines.getFirst().split(" ", -1);
    var headers = new TreeMap<String, String>();
    List<String> names = new CopyOnWriteArrayList<>();
    lines.stream().skip(1).filter(line -> line.contains(":")).forEach(line -> {
      String name = line.substring(0, line.indexOf(':'));
      names.add(name);
      headers.put(
          name.toLowerCase(Locale.ROOT), line.substring(line.indexOf(':') + 1).strip());
    });
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Received(
        first[0], first[1], headers, names, new String(in.readNBytes(length), UTF_8));
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
