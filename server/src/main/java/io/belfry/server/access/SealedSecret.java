package io.belfry.server.access;

import io.belfry.executors.secret.Destinations;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * An encrypted secret as stored (AES-256-GCM). Namespace, name, key id and destinations are authenticated, so that an attacker with write access to
 * the store can neither swap secrets nor widen their destinations.
 *
 * <p>Threading: immutable.
 *
 * @param key id of the key that encrypted it; null in records from before there were ids, which have no destinations either
 * @param destinations where it may be sent; null in records from before there were destinations: anywhere
 */
record SealedSecret(
    byte[] nonce,
    byte[] text,
    Instant updated,
    String by,
    @Nullable String key,
    @Nullable List<String> destinations) {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /**
   * The location of a secret.
   *
   * @param secret name of the secret
   */
  record Place(String namespace, String secret) {
    @Override
    public String toString() {
      return namespace + "/" + secret;
    }
  }

  static SealedSecret of(
      Place place,
      String value,
      Instant updated,
      String by,
      @Nullable List<String> destinations,
      SecretKeys.One with,
      SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    var empty = new SealedSecret(nonce, new byte[0], updated, by, with.id(), destinations);
    try {
      byte[] text = empty
          .cipher(Cipher.ENCRYPT_MODE, place, with.key())
          .doFinal(value.getBytes(StandardCharsets.UTF_8));
      return new SealedSecret(nonce, text, updated, by, with.id(), destinations);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  /**
   * Decrypts the value.
   *
   * @throws InvalidException if no key decrypts it, or if the record was tampered with
   */
  String open(Place place, SecretKeys keys) {
    for (SecretKeys.One one : keys.candidates(Optional.ofNullable(key))) {
      Optional<String> value = opened(place, one);
      if (value.isPresent()) {
        return value.get();
      }
    }
    throw Check.refusal(
        "secret",
        place.secret(),
        "must be readable with a key of this node, because it was encrypted with a key of the cluster"
            + (key == null ? "" : " (key id " + key + ")"),
        "Give every node the same secret.keyFile, or store the secret again.");
  }

  /** Decrypts with one key; empty if it was encrypted with another key or tampered with, which cannot be distinguished. */
  private Optional<String> opened(Place place, SecretKeys.One with) {
    try {
      byte[] value = cipher(Cipher.DECRYPT_MODE, place, with.key()).doFinal(text);
      return Optional.of(new String(value, StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private Cipher cipher(int mode, Place place, SecretKey with) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, with, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(authenticated(place).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private String authenticated(Place place) {
    if (key == null && destinations == null) {
      return place.toString();
    }
    return String.join(
        "\n",
        "2",
        place.toString(),
        String.valueOf(key),
        destinations == null ? "unrestricted" : String.join("\n", destinations));
  }

  /** Where it may be sent. */
  Destinations allowed() {
    return destinations == null
        ? Destinations.ANY
        : Destinations.parse("destinations", destinations);
  }
}
