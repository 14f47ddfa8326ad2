package io.belfry.server.access;

import io.belfry.model.Check;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The encryption keys of stored secrets: the first key encrypts, all keys decrypt. Several keys exist during a key rotation.
 *
 * <p>Threading: immutable.
 */
public final class SecretKeys {
  /** No key: secrets can be neither stored nor used. */
  public static final SecretKeys NONE = new SecretKeys(List.of());

  private static final String SETTING = "secret.keyFile";
  private static final int KEY_BYTES = 32;
  private static final int KEYS_MAX = 10;
  private static final int ID_BYTES = 8;

  /**
   * A key.
   *
   * @param id part of the hash of the key, which reveals nothing about it
   */
  record One(String id, SecretKey key) {}

  private final List<One> all;

  private SecretKeys(List<One> all) {
    this.all = all;
  }

  /** Creates 1 to 10 keys of 32 bytes; the first one encrypts. */
  public static SecretKeys of(List<byte[]> keys) {
    Check.that(
        !keys.isEmpty() && keys.size() <= KEYS_MAX,
        SETTING,
        new Check.Amount(keys.size(), "keys"),
        "must contain 1 to " + KEYS_MAX
            + " keys, one per line, because all keys are tried for each secret",
        "Generate one: head -c 32 /dev/urandom | base64.");
    var all = new ArrayList<One>();
    for (byte[] bytes : keys) {
      Check.that(
          bytes.length == KEY_BYTES,
          SETTING,
          new Check.Amount(bytes.length, "bytes"),
          "must contain keys of " + KEY_BYTES + " bytes in base64, because AES-256 needs that size",
          "Generate one: head -c 32 /dev/urandom | base64.");
      One one = new One(id(bytes), new SecretKeySpec(bytes, "AES"));
      Check.that(
          all.stream().noneMatch(other -> other.id.equals(one.id)),
          SETTING,
          new Check.Plain("twice the key with the id " + one.id),
          "must contain each key once, because the second line would have no effect",
          "Remove one of the lines.");
      all.add(one);
    }
    return new SecretKeys(List.copyOf(all));
  }

  private static String id(byte[] key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key);
      return HexFormat.of().formatHex(Arrays.copyOf(digest, ID_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The key that encrypts. */
  One first() {
    return all.stream()
        .findFirst()
        .orElseThrow(
            () -> Check.refusal(
                SETTING,
                "not set",
                "must name a file with a key, because stored secrets are encrypted with it",
                "Generate one (head -c 32 /dev/urandom | base64 > secret.key) and copy it to every node."));
  }

  /** The keys that may have encrypted a record: the one with this id, or all keys if the record has no id. */
  List<One> candidates(Optional<String> id) {
    return id.map(named -> all.stream().filter(one -> one.id.equals(named)).toList())
        .orElse(all);
  }
}
