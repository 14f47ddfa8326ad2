package io.belfry.server.access;

import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secrets of namespaces, encrypted with a key that the store never sees (AES-256-GCM). Namespace and name are part of what is stored, so
 * that one who can write to the store cannot put one secret in another's place.
 *
 * <p>Threading: safe.
 */
public final class Vault {
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int NAME_CHARS_MAX = 128;
  private static final int VALUE_CHARS_MAX = 65_536;

  /** What may be told of a secret. */
  public record SecretName(String name, Instant updated, String by) {}

  private record Sealed(byte[] nonce, byte[] text, Instant updated, String by) {}

  private final Desk desk;
  private final Optional<SecretKey> key;
  private final Time time;
  private final SecureRandom random;

  /**
   * A vault.
   *
   * @param key 32 bytes; empty: nothing can be stored or read
   */
  public Vault(Desk desk, Optional<byte[]> key, Time time, SecureRandom random) {
    this.desk = desk;
    this.key = key.map(bytes -> {
      Check.that(
          bytes.length == KEY_BYTES,
          "secret.keyFile",
          new Check.Amount(bytes.length, "bytes"),
          "must hold 32 bytes in base64, because AES-256 takes such a key",
          "Make one: head -c 32 /dev/urandom | base64.");
      return new SecretKeySpec(bytes, "AES");
    });
    this.time = time;
    this.random = random;
  }

  public void put(String namespace, String name, String value, String by) {
    Check.name("secret", name, NAME_CHARS_MAX);
    Check.text("value", value, VALUE_CHARS_MAX);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] text =
        seal(Cipher.ENCRYPT_MODE, nonce, namespace, name, value.getBytes(StandardCharsets.UTF_8));
    var unused = desk.commit(Commit.when()
        .put(at(namespace, name), Desk.bytes(new Sealed(nonce, text, time.wall(), by))));
  }

  private static Key at(String namespace, String name) {
    return Key.of(Spaces.SECRETS, namespace + "/" + name);
  }

  private byte[] seal(int mode, byte[] nonce, String namespace, String name, byte[] text) {
    SecretKey with = key.orElseThrow(() -> Check.refusal(
        "secret.keyFile",
        "not set",
        "must name a file with a key, because stored secrets are encrypted with it",
        "Make one (head -c 32 /dev/urandom | base64 > secret.key) and give it to every node."));
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, with, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD((namespace + "/" + name).getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw Check.refusal(
          "secret",
          name,
          "must be readable with this node's key, because it was sealed with the cluster's ("
              + e.getClass().getSimpleName() + ")",
          "Give every node the same secret.keyFile, or store the secret again.");
    }
  }

  /** The secret itself: for executors, at the moment they need it. */
  public Optional<String> find(String namespace, String name) {
    return desk.find(at(namespace, name), Sealed.class)
        .map(stored -> new String(
            seal(Cipher.DECRYPT_MODE, stored.nonce(), namespace, name, stored.text()),
            StandardCharsets.UTF_8));
  }

  /** The first thousand, by name. */
  public List<SecretName> list(String namespace) {
    byte[] prefix = (namespace + "/").getBytes(StandardCharsets.UTF_8);
    return desk.scan(Scan.prefix(Spaces.SECRETS, prefix)).entries().stream()
        .map(entry -> {
          Sealed stored = Desk.read(entry.value(), Sealed.class);
          byte[] name =
              Arrays.copyOfRange(entry.key().name(), prefix.length, entry.key().name().length);
          return new SecretName(
              new String(name, StandardCharsets.UTF_8), stored.updated(), stored.by());
        })
        .toList();
  }

  /** False if there was none. */
  public boolean delete(String namespace, String name) {
    Check.name("secret", name, NAME_CHARS_MAX);
    return desk.find(at(namespace, name)).isPresent()
        && desk.commit(Commit.when().delete(at(namespace, name)));
  }
}
