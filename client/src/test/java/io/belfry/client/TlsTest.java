package io.belfry.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a certificate of our own, as keytool of this JDK makes it. */
class TlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir
  Path folder;

  private KeyStore keys() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process made = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=ip:127.0.0.1",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString())
        .redirectErrorStream(true)
        .start();
    made.getInputStream().readAllBytes();
    assertThat(made.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private Path pem(KeyStore keys) throws Exception {
    String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
        .encodeToString(keys.getCertificate("server").getEncoded());
    return Files.writeString(
        folder.resolve("authority.pem"),
        "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
  }

  @Test
  void only_the_given_ca_is_trusted() throws Exception {
    KeyStore keys = keys();
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", exchange -> {
      StandIn.json(200, "{\"status\":\"up\"}").to(exchange);
      exchange.close();
    });
    server.start();
    try {
      ClientSettings settings =
          ClientSettings.at("https://127.0.0.1:" + server.getAddress().getPort());
      try (BelfryClient client = BelfryClient.open(settings.authority(pem(keys)))) {
        assertThat(client.server().health().path("status").asString()).isEqualTo("up");
      }
      try (BelfryClient client = BelfryClient.open(settings)) {
        var distrust = catchThrowableOfType(
            UnreachableException.class, () -> client.server().health());
        assertThat(distrust).hasMessageContaining("TLS failed");
        assertThat(distrust.isUnknown()).isFalse();
      }
    } finally {
      server.stop(0);
    }
  }

  @Test
  void a_file_without_certificates_is_refused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path missing = folder.resolve("missing.pem");
    for (Path file : new Path[] {empty, missing}) {
      assertThatThrownBy(() -> BelfryClient.open(ClientSettings.at("https://x").authority(file)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(file.toString());
    }
  }
}
