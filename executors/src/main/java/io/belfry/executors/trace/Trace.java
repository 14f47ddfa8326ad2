package io.belfry.executors.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptContext;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Creates the {@code traceparent} of an attempt (W3C Trace Context). The trace id comes from the metadata, or else is derived from the
 * task id, so that every worker creates the same. Threading: stateless.
 */
public final class Trace {
  /** The metadata entry with the trace to continue. */
  public static final String METADATA = "traceparent";

  private static final Pattern VALID =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
  private static final int TRACE_FROM = 3;
  private static final int TRACE_TO = 35;
  private static final int FLAGS_FROM = 53;
  private static final int TRACE_BYTES = 16;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L; // odd, so that multiplying loses nothing

  private Trace() {}

  public static String parent(String namespace, AttemptContext attempt) {
    byte[] task = hash(namespace + '/' + attempt.task());
    String span = HexFormat.of().toHexDigits(span(task, attempt));
    String given = attempt.metadata().getOrDefault(METADATA, "");
    return !given.isEmpty() && VALID.matcher(given).matches()
        ? "00-" + given.substring(TRACE_FROM, TRACE_TO) + "-" + span + "-"
            + given.substring(FLAGS_FROM)
        : "00-" + HexFormat.of().formatHex(task, 0, TRACE_BYTES) + "-" + span + "-01";
  }

  /** A span id for each attempt: tokens of one task differ, and multiplying by an odd constant keeps them different. */
  private static long span(byte[] task, AttemptContext attempt) {
    long mixed = ByteBuffer.wrap(task).getLong(TRACE_BYTES) + attempt.token().value() * GOLDEN;
    mixed = (mixed ^ (mixed >>> 32)) * GOLDEN;
    mixed ^= mixed >>> 29;
    return mixed == 0 ? 1 : mixed;
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256.", e);
    }
  }
}
