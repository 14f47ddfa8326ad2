package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The verbs of the store, one Lua file each, as Redis wants them. Threading: immutable. */
enum Scripts {
  RIGHTS,
  HELLO,
  COMMIT,
  GET,
  SCAN,
  GRANT,
  RENEW,
  REVOKE,
  SWEEP,
  BARRIER,
  TAIL,
  WAKE,
  STATUS;

  private final String text;
  private final String sha;

  Scripts() {
    String file = name().toLowerCase(Locale.ROOT) + ".lua";
    text =
        (file.equals("rights.lua") ? "" : "local follows = " + follows() + "\n" + read("begin.lua"))
            + read(file);
    sha = HexFormat.of().formatHex(sha1(text.getBytes(UTF_8)));
  }

  /** Whether it is asked on the connection on which feeds are read. */
  private boolean follows() {
    return name().equals("TAIL");
  }

  byte[] text() {
    return text.getBytes(UTF_8);
  }

  byte[] sha() {
    return sha.getBytes(US_ASCII);
  }

  private static String read(String file) {
    try (InputStream in = Scripts.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(
            "The script " + file + " is missing from the jar. Build it again.");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The script " + file + " cannot be read.", e);
    }
  }

  private static byte[] sha1(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-1.", e);
    }
  }
}
