package io.belfry.cli.job;

import io.belfry.cli.verb.Report;
import io.belfry.client.ApiException;
import java.util.List;
import java.util.function.Consumer;

/** The same for several ids: what is refused for one does not keep the others from it. Threading: stateless. */
final class Each {
  private Each() {}

  /** The exit code. */
  static int of(List<String> ids, Report report, Consumer<String> action) {
    if (ids.size() == 1) {
      action.accept(ids.getFirst());
      return 0;
    }
    int refused = 0;
    for (String id : ids) {
      try {
        action.accept(id);
      } catch (ApiException e) {
        if (e.status() == 401 || e.status() == 403) {
          throw e;
        }
        refused++;
        report.note(id + ": " + e.getMessage());
      }
    }
    return refused == 0 ? 0 : 1;
  }
}
