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
 * Which failures are worth another try. Every other is rejected: the same call would fail again.
 *
 * <p>Threading: immutable.
 */
record RetryRule(Set<CallFailure> troubles, StatusSet statuses) {
  /** What passes, as a rule: nobody was reached, or the target has too much to do. */
  static final RetryRule USUAL =
      of("retryOn", List.of("connect", "timeout", "broken", "answer", 408, 425, 429, "5xx"));

  static RetryRule of(String field, List<Object> written) {
    Set<CallFailure> troubles = EnumSet.noneOf(CallFailure.class);
    var statuses = new ArrayList<Object>();
    for (Object one : written) {
      String text = String.valueOf(one);
      Optional<CallFailure> trouble = trouble(text);
      trouble.ifPresent(troubles::add);
      if (trouble.isEmpty()) {
        if (StatusSet.read(text).isEmpty()) {
          String words =
              Arrays.stream(CallFailure.values()).map(WireName::of).collect(Collectors.joining(", "));
          throw StatusSet.refusal(field, text, words + " and ");
        }
        statuses.add(one);
      }
    }
    return new RetryRule(troubles, StatusSet.of(field, statuses));
  }

  private static Optional<CallFailure> trouble(String text) {
    return Arrays.stream(CallFailure.values())
        .filter(one -> WireName.of(one).equals(text.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  FailureKind kind(CallFailure trouble) {
    if (!troubles.contains(trouble)) {
      return FailureKind.REJECTED;
    }
    return trouble == CallFailure.TIMEOUT ? FailureKind.TIMEOUT : FailureKind.ERROR;
  }

  FailureKind kind(int status) {
    return statuses.contains(status) ? FailureKind.ERROR : FailureKind.REJECTED;
  }
}
