package io.belfry.executors.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.executors.json.Json;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.job.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The part of a response that is stored: JSON as JSON and text as text, redacted and bounded. Other content is only described.
 *
 * @param note a remark for the result message, or empty
 */
record AnswerData(Payload payload, String text, String note) {
  private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([A-Za-z0-9._:-]+)");
  private static final String PLAIN = "text/plain";
  private static final int MARK_BYTES = 200;

  static AnswerData of(Answer answer, Redaction redaction) {
    if (answer.body().length == 0) {
      return new AnswerData(Payload.EMPTY, "", "");
    }
    String written = answer.header(HttpHeader.CONTENT_TYPE);
    String type = written.toLowerCase(Locale.ROOT);
    Optional<String> read =
        isText(type) ? Optional.of(decode(answer.body(), type)) : strict(answer.body());
    // With NUL it is not text, or its header does not name its charset: secrets would not be
    // found.
    if (read.filter(text -> text.indexOf('\0') < 0).isEmpty()) {
      return new AnswerData(
          Payload.EMPTY,
          "",
          size(answer) + (type.isEmpty() ? "" : " of " + redaction.clip(written, 100))
              + " were not stored, because they are not text");
    }
    String text =
        answer.isCut() ? redaction.applyToBeginning(read.get()) : redaction.apply(read.get());
    return kept(text, answer, type);
  }

  private static AnswerData kept(String text, Answer answer, String type) {
    byte[] bytes = text.getBytes(UTF_8);
    if (!answer.isCut() && bytes.length <= Payload.DEFAULT_LIMIT) {
      boolean json =
          (type.isEmpty() || BodyRule.isJson(type)) && Json.parse(text).isPresent();
      return new AnswerData(Payload.of(json ? Payload.JSON : PLAIN, bytes), text, "");
    }
    String mark = "\n… (truncated here; the response had " + size(answer) + ")";
    int room = Payload.DEFAULT_LIMIT - MARK_BYTES;
    String beginning = new String(bytes, 0, Math.min(room, bytes.length), UTF_8);
    String whole =
        beginning.endsWith("\uFFFD") ? beginning.substring(0, beginning.length() - 1) : beginning;
    return new AnswerData(
        Payload.of(PLAIN, (whole + mark).getBytes(UTF_8)),
        whole,
        "the response had " + size(answer) + " and was truncated");
  }

  private static String size(Answer answer) {
    return (answer.isCut() ? "more than " : "") + answer.body().length + " bytes";
  }

  private static boolean isText(String type) {
    return type.startsWith("text/")
        || BodyRule.isJson(type)
        || type.contains("xml")
        || type.contains("javascript")
        || type.contains("yaml")
        || type.startsWith("application/x-www-form-urlencoded")
        || type.startsWith("application/x-ndjson");
  }

  private static String decode(byte[] body, String type) {
    Matcher named = CHARSET.matcher(type);
    try {
      return new String(body, named.find() ? Charset.forName(named.group(1)) : UTF_8);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return new String(body, UTF_8); // most of it is still readable
    }
  }

  /** For an unknown content type: text if the whole body is valid text. */
  private static Optional<String> strict(byte[] body) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
