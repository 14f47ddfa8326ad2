package io.belfry.server.rest;

import io.belfry.model.Check;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A change of many jobs in the words of the audit log: whole ids, as many as fit. Threading: stateless. */
final class Bulk {
  private static final int CHARS_MAX = 1800;
  private static final int ID_CHARS_MAX = 128;

  private Bulk() {}

  /** What was asked for. */
  static String asked(String action, List<String> ids) {
    return action + " of " + count(ids) + ": " + some(ids);
  }

  /** What came of it: what was done, and what was refused, apart. */
  static String done(String action, JsonNode results) {
    List<String> done = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (JsonNode each : results.values()) {
      boolean is = each.path("outcome").asString("").equals("refused");
      (is ? refused : done).add(each.path("id").asString(""));
    }
    String first = done.isEmpty() ? "" : asked(action, done);
    String second = refused.isEmpty() ? "" : asked(action, refused) + " (refused)";
    return first + (first.isEmpty() || second.isEmpty() ? "" : "; ") + second;
  }

  private static String count(List<String> ids) {
    return ids.size() == 1 ? "1 job" : ids.size() + " jobs";
  }

  private static String some(List<String> ids) {
    var text = new StringBuilder();
    int shown = 0;
    for (String id : ids) {
      String name = id.isEmpty() ? "(no id)" : Check.clip(Router.harmless(id), ID_CHARS_MAX);
      if (text.length() + name.length() > CHARS_MAX) {
        break;
      }
      text.append(shown == 0 ? "" : ", ").append(name);
      shown++;
    }
    int left = ids.size() - shown;
    return left == 0 ? text.toString() : text + " and " + left + " more";
  }
}
