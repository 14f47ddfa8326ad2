package io.belfry.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server answered, and refused. Threading: immutable. */
public final class ApiException extends BelfryException {
  private final int status;
  private final String code;
  private final @Nullable String field;
  private final transient Optional<Duration> retryAfter;

  /**
   * A refusal.
   *
   * @param status of HTTP
   * @param code a word for programs, such as {@code conflict}
   * @param message a sentence for people
   * @param field what it is about, such as {@code trigger.cron}, if it is about a part of the request
   */
  public ApiException(int status, String code, String message, @Nullable String field) {
    this(status, code, message, field, Optional.empty());
  }

  ApiException(
      int status,
      String code,
      String message,
      @Nullable String field,
      Optional<Duration> retryAfter) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /** How long the server wants to be left alone, if it said so. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  @Override
  public boolean isUnknown() {
    return code.equals("unknown");
  }
}
