package io.belfry.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Generates random secrets and their hashes. 256 random bits cannot be guessed, so a plain hash is sufficient: it needs no salt and no slow hash
 * function, and a lookup by hash has no timing side channel.
 *
 * <p>Threading: stateless.
 */
public final class Secret {
  private static final int BYTES = 32;

  private Secret() {}

  /** Generates a secret with a prefix that scanners for leaked secrets can detect. */
  public static String make(String prefix, SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Generates a short unique id. */
  public static String id(SecureRandom random) {
    byte[] bytes = new byte[8];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The hash under which a secret is stored. */
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
