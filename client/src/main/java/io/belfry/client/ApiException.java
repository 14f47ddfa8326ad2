package io.belfry.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server refused the call with an error response. Threading: immutable. */
public final class ApiException extends BelfryException {
  private final int status;
  private final String code;
  private final @Nullable String field;
  private final transient Optional<Duration> retryAfter;

  /**
   * Creates the exception.
   *
   * @param status HTTP status
   * @param code machine-readable error code, such as {@code conflict}
   * @param message human-readable sentence
   * @param field field of the request that is wrong, such as {@code trigger.cron}; null if the error concerns no field
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

  /** How long to wait before the next try, if the server sent {@code Retry-After}. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  @Override
  public boolean isUnknown() {
    return code.equals("unknown");
  }
}
