package io.belfry.server.rest;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is no HTTP, or two things at once, on a connection of its own. Threading: confined to its walker. */
final class Garbage {
  private static final Pattern STATUS = Pattern.compile("(?m)^HTTP/1\\.[01] (\\d{3}) ");
  private static final Time TIME = Time.system();
  private static final String GET = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String LOGIN =
      "POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

  private static final List<String> SCRIPTS = List.of(
      GET.repeat(50),
      GET + "\r\n\r\n\r\n" + GET,
      GET + "garbage\r\n\r\n" + GET,
      GET + "\u0000\u0001\u0002" + GET,
      LOGIN + "Content-Length: 5\r\nContent-Length: 50\r\n\r\n{}" + GET,
      LOGIN + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + GET,
      LOGIN
          + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
          + GET,
      LOGIN + "Transfer-Encoding: xchunked\r\n\r\n{}" + GET,
      LOGIN + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
      LOGIN + "Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n",
      LOGIN + "Transfer-Encoding: chunked\r\n\r\n2;" + "x".repeat(20_000) + "\r\n{}\r\n0\r\n\r\n",
      LOGIN + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: " + "x".repeat(20_000)
          + "\r\n\r\n",
      LOGIN + "Content-Length: -1\r\n\r\n",
      LOGIN + "Content-Length: 99999999999999999999\r\n\r\n{}",
      LOGIN + "Content-Length: 0x2\r\n\r\n{}",
      LOGIN + "Content-Length: 100\r\n\r\n{\"token\"",
      LOGIN + "Content-Length : 2\r\n\r\n{}",
      LOGIN + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u001f\u008b\b",
      "GET /healthz HTTP/1.1\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
      "GET /healthz HTTP/1.1\nHost: x\n\n",
      "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
      "GET /healthz\r\n\r\n",
      "GET\r\n\r\n",
      "GET  /healthz  HTTP/1.1\r\nHost: x\r\n\r\n",
      "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET http://127.0.0.1:1/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET //evil.example/..//healthz HTTP/1.1\r\nHost: x\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET /" + "a".repeat(40_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: x\r\n" + "A: b\r\n".repeat(5_000) + "\r\n",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: " + "a=b; ".repeat(2_000) + "\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: \u00ff\u00fe\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
      "\u0000".repeat(1000));

  private final int port;
  private final RandomGenerator random;

  Garbage(int port, RandomGenerator random) {
    this.port = port;
    this.random = random;
  }

  /**
   * What came back.
   *
   * @param statuses of all answers on the connection
   */
  record Outcome(String sent, List<Integer> statuses, Duration took) {}

  /** Sends something, says that no more will come, and reads all that the server answers. */
  Outcome send() {
    String script = SCRIPTS.get(random.nextInt(SCRIPTS.size()));
    byte[] bytes = script.getBytes(StandardCharsets.ISO_8859_1);
    if (random.nextInt(3) == 0) {
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
    }
    long begun = TIME.nanos();
    String answer = exchange(bytes);
    var statuses = new ArrayList<Integer>();
    Matcher found = STATUS.matcher(answer);
    while (found.find()) {
      statuses.add(Integer.valueOf(found.group(1)));
    }
    String shown = new String(bytes, StandardCharsets.ISO_8859_1);
    return new Outcome(
        shown.substring(0, Math.min(300, shown.length())),
        List.copyOf(statuses),
        Duration.ofNanos(TIME.nanos() - begun));
  }

  private String exchange(byte[] bytes) {
    var answer = new java.io.ByteArrayOutputStream();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      socket.getInputStream().transferTo(answer);
    } catch (java.net.SocketException e) {
      // The server may close the connection before all was sent; what it answered counts.
      return answer.toString(StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return answer.toString(StandardCharsets.ISO_8859_1);
  }
}
