package io.belfry.testkit.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A CA, a server certificate for 127.0.0.1 and a client certificate, as PEM files created by the JDK's keytool.
 *
 * @param directory the directory of the files; the test deletes it
 */
public record EtcdCertificates(Path directory) {
  private static final String PASSWORD = "changeit";

  public static EtcdCertificates make(Path directory) {
    var made = new EtcdCertificates(directory);
    made.pair("ca", "CN=Belfry test authority", "bc:c");
    made.export("ca", made.authority());
    made.signed("server", "CN=server", "san=ip:127.0.0.1,dns:localhost");
    made.signed("client", "CN=client", "eku=clientAuth");
    return made;
  }

  public Path authority() {
    return directory.resolve("ca.pem");
  }

  public Path clientCertificate() {
    return directory.resolve("client.pem");
  }

  public Path clientKey() {
    return directory.resolve("client.key");
  }

  List<String> serverFlags() {
    return List.of(
        "--cert-file=" + directory.resolve("server.pem"),
        "--key-file=" + directory.resolve("server.key"),
        "--trusted-ca-file=" + authority(),
        "--client-cert-auth");
  }

  private void signed(String name, String who, String extension) {
    pair(name, who, extension);
    keytool("-certreq", "-alias", name, "-file", file(name + ".csr"), "-keystore", store(name));
    keytool(
        "-gencert",
        "-alias",
        "ca",
        "-infile",
        file(name + ".csr"),
        "-outfile",
        file(name + ".pem"),
        "-rfc",
        "-validity",
        "30",
        "-ext",
        extension,
        "-keystore",
        store("ca"));
    writeKey(name);
  }

  private void pair(String name, String who, String extension) {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        who,
        "-validity",
        "30",
        "-ext",
        extension,
        "-keystore",
        store(name));
  }

  private void export(String name, Path to) {
    keytool(
        "-exportcert", "-alias", name, "-rfc", "-file", to.toString(), "-keystore", store(name));
  }

  private void writeKey(String name) {
    try (InputStream in = Files.newInputStream(directory.resolve(name + ".p12"))) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      Key key = keys.getKey(name, PASSWORD.toCharArray());
      String body =
          Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(key.getEncoded());
      Files.writeString(
          directory.resolve(name + ".key"),
          "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
    } catch (IOException e) {
      throw new UncheckedIOException("The key of " + name + " could not be written.", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The key of " + name + " could not be read.", e);
    }
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private String store(String name) {
    return file(name + ".p12");
  }

  private void keytool(String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(Arrays.asList(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    try {
      Path log = directory.resolve("keytool.log");
      Process process = new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException("keytool failed: " + Files.readString(log));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("keytool could not be run.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while making certificates", e);
    }
  }
}
