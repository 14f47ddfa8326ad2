package io.belfry.server.rest;

import io.belfry.model.Check;
import io.belfry.server.connection.Connections;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Where the server listens, and how.
 *
 * @param port 0 takes a free one
 */
public record Listener(String host, int port, Optional<Tls> tls) {
  private static final int BACKLOG = 1024;
  private static final List<String> KEY_KINDS = List.of("EC", "RSA", "Ed25519");

  /** PEM files: the chain, own certificate first, and its key in PKCS#8. */
  public record Tls(Path certificate, Path key) {}

  Connector connector(Server server, HttpConfiguration http, Connections connections) {
    ServerConnector connector = tls.isPresent()
        ? secure(server, http, tls.get(), connections)
        : connections.connector(server, new HttpConnectionFactory(http));
    connector.setHost(host);
    connector.setPort(port);
    connector.setAcceptQueueSize(BACKLOG);
    return connector;
  }

  private static ServerConnector secure(
      Server server, HttpConfiguration http, Tls files, Connections connections) {
    var ssl = new SslContextFactory.Server();
    char[] password = {};
    ssl.setKeyStore(keys(files, password));
    ssl.setKeyStorePassword("");
    ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    var secured = new HttpConfiguration(http);
    secured.addCustomizer(new SecureRequestCustomizer(false));
    return connections.connector(
        server, new SslConnectionFactory(ssl, "http/1.1"), new HttpConnectionFactory(secured));
  }

  private static KeyStore keys(Tls files, char[] password) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", key(files.key), password, chain(files.certificate));
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw Check.refusal(
          "server.tls",
          files.certificate + " and " + files.key,
          "must be PEM files with a certificate chain and its PKCS#8 key (" + e.getMessage() + ")",
          "Check the files; openssl pkcs8 -topk8 -nocrypt converts other keys.");
    }
  }

  private static Certificate[] chain(Path file) throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(in)
          .toArray(Certificate[]::new);
    }
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    String body = Files.readString(file).replaceAll("-----[^-]+-----", "");
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(body);
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("the key is not PEM", e);
    }
    var none = new InvalidKeySpecException("the key is none of " + KEY_KINDS + " in PKCS#8");
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(der));
      } catch (InvalidKeySpecException e) {
        none.addSuppressed(e);
      }
    }
    throw none;
  }
}
