package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** TLS from PEM files. */
final class Tls {
  private static final char[] NO_PASSWORD = new char[0];

  private Tls() {}

  /** Empty: not over TLS. Without certificates of ours, those that Java trusts are good enough. */
  static Optional<SSLSocketFactory> of(RedisSettings settings) {
    if (!settings.address().tls()) {
      return Optional.empty();
    }
    return Optional.of(settings.certificates().map(Tls::factory).orElseGet(() ->
        (SSLSocketFactory) SSLSocketFactory.getDefault()));
  }

  /** The certificate must be made out for the host we dialled. */
  static SSLParameters verifyingHosts(SSLParameters parameters) {
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }

  private static SSLSocketFactory factory(RedisSettings.Certificates files) {
    try {
      KeyStore trusted = empty();
      int i = 0;
      for (Certificate each : certificates(files.authority())) {
        trusted.setCertificateEntry("authority" + i++, each);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(identity(files.identity()), NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "The certificates must be PEM files, the key in PKCS#8, but " + files
              + " could not be used: " + e.getMessage()
              + ". A key is converted by openssl pkcs8 -topk8 -nocrypt.",
          e);
    }
  }

  private static KeyStore identity(Optional<RedisSettings.Certificates.Identity> own)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    if (own.isPresent()) {
      store.setKeyEntry(
          "own",
          key(own.get().key()),
          NO_PASSWORD,
          certificates(own.get().certificate()).toArray(Certificate[]::new));
    }
    return store;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static Collection<? extends Certificate> certificates(Path pem)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in);
    }
  }

  private static PrivateKey key(Path pem) throws GeneralSecurityException, IOException {
    String text = Files.readString(pem, US_ASCII)
        .replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "")
        .replaceAll("\\s", "");
    var encoded = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
    var tried = new ArrayList<String>();
    for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException notThisOne) {
        tried.add(algorithm);
      }
    }
    throw new InvalidKeySpecException("the key in " + pem + " is none of " + tried);
  }
}
