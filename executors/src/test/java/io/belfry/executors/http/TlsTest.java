package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.executors.TestServer;
import io.belfry.executors.egress.HostLookup;
import io.belfry.executors.egress.Target;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.InvalidException;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TlsTest {
  private static final String SECRET = "only-for-tests";
  private static final HostLookup HERE = (host, until) -> List.of(InetAddress.getLoopbackAddress());

  @TempDir
  private static Path folder;

  private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    keytool(
        "-genkeypair",
        "-alias",
        "own",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "30",
        "-dname",
        "CN=own",
        "-ext",
        "san=dns:service.test",
        "-ext",
        "bc:c");
    keytool(
        "-exportcert",
        "-alias",
        "own",
        "-rfc",
        "-file",
        folder.resolve("own.pem").toString());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve("own.p12"))) {
      keys.load(in, SECRET.toCharArray());
    }
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, SECRET.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    server = TestServer.start(context.getServerSocketFactory(), "https", (request, socket) -> {
      var session = (ExtendedSSLSession) ((SSLSocket) socket).getSession();
      TestServer.answer(
          socket, "200 OK", "", request.header("Host") + " " + session.getRequestedServerNames());
    });
  }

  private static void keytool(String... arguments) throws Exception {
    var command = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of(
        "-keystore",
        folder.resolve("own.p12").toString(),
        "-storetype",
        "PKCS12",
        "-storepass",
        SECRET));
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("keytool.log").toFile())
        .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(folder.resolve("keytool.log")))
        .isZero();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Caller trusting() {
    return Caller.with(HttpSettings.defaults().withTrust(folder.resolve("own.pem")), HERE);
  }

  @Test
  void a_name_stays_itself_though_only_checked_addresses_are_connected_to() throws Exception {
    try (Caller caller = trusting()) {
      String text = caller
          .call(spec("url", "https://service.test:" + server.port() + "/"))
          .data()
          .text();
      assertThat(text).startsWith("service.test:" + server.port()).contains("value=service.test");
    }
  }

  @Test
  void a_certificate_for_another_name_is_refused() {
    try (Caller caller = trusting()) {
      Failure failure = caller.failure(spec("url", "https://other.test:" + server.port() + "/"));
      assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
      assertThat(failure.result().message()).contains("could not connect").contains("other.test");
    }
  }

  @Test
  void an_authority_that_nobody_named_is_not_trusted() {
    try (Caller caller = Caller.with(HttpSettings.defaults(), HERE)) {
      Failure failure = caller.failure(spec("url", "https://service.test:" + server.port() + "/"));
      assertThat(failure.result().message()).contains("could not connect");
    }
  }

  @Test
  void https_to_a_port_that_speaks_http_cannot_be_reached() {
    try (TestServer plain = TestServer.answering("200 OK", "text/plain", "plain");
        Caller caller = trusting()) {
      Failure failure =
          caller.failure(spec("url", "https://127.0.0.1:" + plain.port() + "/", "timeout", "5s"));
      assertThat(failure.kind()).isIn(FailureKind.ERROR, FailureKind.TIMEOUT);
    }
  }

  @Test
  void a_redirect_from_https_to_http_is_refused() throws Exception {
    try (Caller caller = trusting()) {
      var answer = new Answer(
          302,
          "Found",
          HttpFields.build().put("Location", "http://service.test/"),
          new byte[0],
          false);
      var message = new CallRequest(
          "GET", Target.parse("url", "https://service.test/"), List.of(), Optional.empty(), false);
      assertThatExceptionOfType(Redirects.RefusedException.class)
          .isThrownBy(() -> Redirects.next(message, answer, new Redaction()))
          .withMessageContaining("from https to http");
      assertThat(caller.executor.connections()).isZero();
    }
  }

  @Test
  void a_file_without_certificates_is_refused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing");
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> Outbound.open(HttpSettings.defaults().withTrust(empty)))
        .satisfies(e -> assertThat(e.field()).isEqualTo("http.trust"));
  }
}
