package io.belfry.testkit.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A CA with certificates for a server on 127.0.0.1 and for a client, as PEM files. Created by the JDK's keytool,
 * so that no other tool is needed.
 *
 * @param directory the directory of the files
 */
public record RedisCertificates(Path directory) {
  private static final String SECRET = "only-for-tests";

  public static RedisCertificates in(Path directory) {
    var made = new RedisCertificates(directory);
    made.keyPair("authority", "bc:c");
    made.keytool(
        "-exportcert",
        "-alias",
        "authority",
        "-rfc",
        "-file",
        made.path("authority.pem"),
        "-keystore",
        made.path("authority.p12"));
    made.signed("server", "san=ip:127.0.0.1");
    made.signed("client", "eku=clientAuth");
    return made;
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  /** Options of a server that accepts only TLS connections with a client certificate. */
  public List<String> serverOptions() {
    return List.of(
        "--port", "0",
        "--tls-port", "@port",
        "--tls-cert-file", path("server.pem"),
        "--tls-key-file", path("server.key"),
        "--tls-ca-cert-file", path("authority.pem"));
  }

  /** Replaces the server certificate by one that expired yesterday. A server reads it when it starts. */
  public void expireServer() {
    certificate("server", "san=ip:127.0.0.1", "-10d", "9");
  }

  /** Undoes {@link #expireServer()}. */
  public void renewServer() {
    certificate("server", "san=ip:127.0.0.1", "-1d", "30");
  }

  private void signed(String name, String extension) {
    keyPair(name, extension);
    keytool(
        "-certreq", "-alias", name, "-file", path(name + ".csr"), "-keystore", path(name + ".p12"));
    certificate(name, extension, "-1d", "30");
    writeKey(name);
  }

  private void certificate(String name, String extension, String from, String days) {
    keytool(
        "-gencert",
        "-alias",
        "authority",
        "-rfc",
        "-startdate",
        from,
        "-validity",
        days,
        "-ext",
        extension,
        "-infile",
        path(name + ".csr"),
        "-outfile",
        path(name + ".pem"),
        "-keystore",
        path("authority.p12"));
  }

  private void keyPair(String name, String extension) {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "30",
        "-dname",
        "CN=" + name,
        "-ext",
        extension,
        "-keystore",
        path(name + ".p12"));
  }

  private void writeKey(String name) {
    try (InputStream in = Files.newInputStream(file(name + ".p12"))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, SECRET.toCharArray());
      byte[] key = store.getKey(name, SECRET.toCharArray()).getEncoded();
      Files.writeString(
          file(name + ".key"),
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(key)
              + "\n-----END PRIVATE KEY-----\n");
    } catch (IOException e) {
      throw new UncheckedIOException("The key of " + name + " could not be written.", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The key of " + name + " could not be read.", e);
    }
  }

  private String path(String name) {
    return file(name).toString();
  }

  private void keytool(String... arguments) {
    var command = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", SECRET));
    try {
      Process process = new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(file("keytool.log").toFile()))
          .start();
      if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException("keytool failed: " + Files.readString(file("keytool.log")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("keytool could not be run.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while making certificates.", e);
    }
  }
}
