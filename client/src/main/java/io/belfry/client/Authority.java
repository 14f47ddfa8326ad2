package io.belfry.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS context that trusts only the certificate authorities in a PEM file. Threading: stateless. */
final class Authority {
  private Authority() {}

  static SSLContext of(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw refusal(pem, "it contains no certificate", null);
      }
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate each : found) {
        trusted.setCertificateEntry("authority-" + number++, each);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw refusal(pem, "it cannot be read (" + e.getClass().getSimpleName() + ")", e);
    } catch (GeneralSecurityException e) {
      throw refusal(pem, String.valueOf(e.getMessage()), e);
    }
  }

  private static IllegalArgumentException refusal(Path pem, String why, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "The CA file must contain PEM certificates, but " + pem + " does not: " + why + ".", cause);
  }
}
