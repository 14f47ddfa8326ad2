package io.belfry.executors.http;

import io.belfry.model.Check;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The CA certificates of the Java platform and those of a PEM file. Threading: stateless. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  static KeyStore with(Path pem) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate known : platform()) {
        store.setCertificateEntry("platform-" + number++, known);
      }
      for (Certificate own : read(pem)) {
        store.setCertificateEntry("own-" + number++, own);
      }
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw Check.refusal(
          "http.trust",
          pem.toString(),
          "must be a PEM file with CA certificates, because TLS connections are verified with them ("
              + e + ")",
          "Correct the file.");
    }
  }

  private static X509Certificate[] platform() throws GeneralSecurityException {
    @Nullable KeyStore none = null;
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(none);
    for (TrustManager one : factory.getTrustManagers()) {
      if (one instanceof X509TrustManager trust) {
        return trust.getAcceptedIssuers();
      }
    }
    return new X509Certificate[0];
  }

  private static Collection<? extends Certificate> read(Path pem)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty()) {
        throw new IOException("the file contains no certificate");
      }
      return all;
    }
  }
}
