package io.belfry.executors.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Makes the {@code traceparent} of an attempt (W3C Trace Context). The trace is the one that the metadata name, or else made of the
 * task's name, so that every worker makes the same. Threading: stateless.
 */
public final class Trace {
  /** Under which the metadata name a trace to be continued. */
  public static final String METADATA = "traceparent";

  private static final Pattern VALID =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
  private static final int TRACE_FROM = 3;
  private static final int TRACE_TO = 35;
  private static final int FLAGS_FROM = 53;
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private Trace() {}

  public static String parent(String namespace, AttemptContext attempt) {
    byte[] task = hash(namespace + '/' + attempt.task());
    byte[] one =
        hash(namespace + '/' + attempt.task() + '/' + attempt.number() + '/' + attempt.token());
    String span = HexFormat.of().formatHex(one, 0, SPAN_BYTES);
    String given = attempt.metadata().getOrDefault(METADATA, "");
    return VALID.matcher(given).matches()
        ? "00-" + given.substring(TRACE_FROM, TRACE_TO) + "-" + span + "-"
            + given.substring(FLAGS_FROM)
        : "00-" + HexFormat.of().formatHex(task, 0, TRACE_BYTES) + "-" + span + "-01";
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256.", e);
    }
  }
}
