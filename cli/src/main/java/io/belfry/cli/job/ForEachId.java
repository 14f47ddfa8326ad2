package io.belfry.cli.job;

import io.belfry.cli.verb.Printer;
import io.belfry.client.ApiException;
import java.util.List;
import java.util.function.Consumer;

/** Runs an action for each of several ids; a refused id does not stop the others. Threading: stateless. */
final class ForEachId {
  private ForEachId() {}

  /** Returns the exit code: 1 if an id was refused. */
  static int run(List<String> ids, Printer printer, Consumer<String> action) {
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
        printer.note(id + ": " + e.getMessage());
      }
    }
    return refused == 0 ? 0 : 1;
  }
}
