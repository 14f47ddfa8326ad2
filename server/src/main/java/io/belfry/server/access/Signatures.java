package io.belfry.server.access;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs cookies, login codes and callback addresses (HMAC-SHA256), so that forged ones are refused without access to the store. The key is created
 * once for the cluster and stored there. Read access to the store does not help an attacker, because it contains only hashes of cookies.
 *
 * <p>Threading: safe.
 */
public final class Signatures {
  private static final Key KEY = Key.of(Spaces.BEGINNING, "cookie-key");
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int CHARS_MAX = 200;
  private static final Pattern PARTS =
      Pattern.compile("([0-9a-f]{16})\\.([A-Za-z0-9_-]{43})\\.([A-Za-z0-9_-]{43})");

  /** The content of a valid signed text. */
  public record Opened(String token, String secret) {}

  private final RecordTable table;
  private final SecureRandom random;
  private volatile @Nullable SecretKeySpec key;

  public Signatures(RecordTable table, SecureRandom random) {
    this.table = table;
    this.random = random;
  }

  /**
   * Creates a signed secret for a token.
   *
   * @param token an {@linkplain Secret#id id}
   */
  public String make(String kind, String token) {
    String secret = Secret.make("", random);
    return token + "." + secret + "." + sign(kind, token, secret);
  }

  /** Verifies a text signed by any node of the cluster; empty if the signature is invalid or of another kind. */
  public Optional<Opened> open(String kind, String text) {
    if (text.length() > CHARS_MAX) {
      return Optional.empty();
    }
    var parts = PARTS.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String token = parts.group(1);
    String secret = parts.group(2);
    boolean good = MessageDigest.isEqual(
        sign(kind, token, secret).getBytes(StandardCharsets.US_ASCII),
        parts.group(3).getBytes(StandardCharsets.US_ASCII));
    return good ? Optional.of(new Opened(token, secret)) : Optional.empty();
  }

  private String sign(String kind, String token, String secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key());
      byte[] sum = mac.doFinal((kind + token + "." + secret).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(sum);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /** The key of the cluster; the first node that needs it creates it. */
  private SecretKeySpec key() {
    @Nullable SecretKeySpec known = key;
    if (known != null) {
      return known;
    }
    Optional<byte[]> stored = table.find(KEY, byte[].class);
    if (stored.isEmpty()) {
      byte[] made = new byte[KEY_BYTES];
      random.nextBytes(made);
      stored = table.commit(Commit.when().absent(KEY).put(KEY, RecordTable.bytes(made)))
          ? Optional.of(made)
          : table.find(KEY, byte[].class);
    }
    var found = new SecretKeySpec(stored.orElseThrow(), ALGORITHM);
    key = found;
    return found;
  }

  /** Loads the key, so that no request has to. */
  void load() {
    var unused = key();
  }
}
