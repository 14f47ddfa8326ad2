package io.belfry.executors.http;

import io.belfry.model.WireName;
import io.belfry.model.retry.FailureKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which failures are retried. All others are rejected, because the same call would fail again.
 *
 * <p>Threading: immutable.
 */
record RetryRule(Set<CallFailure> failures, StatusSet statuses) {
  /** Failures that are usually temporary: no connection, or an overloaded target. */
  static final RetryRule USUAL =
      of("retryOn", List.of("connect", "timeout", "broken", "answer", 408, 425, 429, "5xx"));

  static RetryRule of(String field, List<Object> written) {
    Set<CallFailure> failures = EnumSet.noneOf(CallFailure.class);
    var statuses = new ArrayList<Object>();
    for (Object one : written) {
      String text = String.valueOf(one);
      Optional<CallFailure> failure = failure(text);
      failure.ifPresent(failures::add);
      if (failure.isEmpty()) {
        if (StatusSet.read(text).isEmpty()) {
          String words = Arrays.stream(CallFailure.values())
              .map(WireName::of)
              .collect(Collectors.joining(", "));
          throw StatusSet.refusal(field, text, words + " and ");
        }
        statuses.add(one);
      }
    }
    return new RetryRule(failures, StatusSet.of(field, statuses));
  }

  private static Optional<CallFailure> failure(String text) {
    return Arrays.stream(CallFailure.values())
        .filter(one -> WireName.of(one).equals(text.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  FailureKind kind(CallFailure failure) {
    if (!failures.contains(failure)) {
      return FailureKind.REJECTED;
    }
    return failure == CallFailure.TIMEOUT ? FailureKind.TIMEOUT : FailureKind.ERROR;
  }

  FailureKind kind(int status) {
    return statuses.contains(status) ? FailureKind.ERROR : FailureKind.REJECTED;
  }
}
