package io.belfry.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Opaque random words, and what is kept of them. 256 random bits cannot be guessed, so that a plain hash is enough: no salt, no slow
 * function, and a look-up by hash tells nothing by its time.
 *
 * <p>Threading: stateless.
 */
public final class Secret {
  private static final int BYTES = 32;

  private Secret() {}

  /** A new one, which begins with a word that scanners for leaked secrets can look for. */
  public static String make(String prefix, SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** A short name that is nobody else's. */
  public static String id(SecureRandom random) {
    byte[] bytes = new byte[8];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public static String hash(String secret) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
