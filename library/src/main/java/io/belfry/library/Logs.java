package io.belfry.library;

import io.belfry.core.log.AttemptLog;
import java.util.List;
import java.util.Optional;

/** The logs of a task's attempts as one text. Threading: stateless. */
final class Logs {
  private Logs() {}

  static Optional<String> joined(List<AttemptLog> attempts) {
    if (attempts.isEmpty()) {
      return Optional.empty();
    }
    if (attempts.size() == 1) {
      return Optional.of(attempts.getFirst().text());
    }
    var text = new StringBuilder();
    for (AttemptLog attempt : attempts) {
      text.append("── attempt ")
          .append(attempt.attempt())
          .append(" on ")
          .append(attempt.worker())
          .append(" ──\n")
          .append(attempt.text());
    }
    return Optional.of(text.toString());
  }
}
