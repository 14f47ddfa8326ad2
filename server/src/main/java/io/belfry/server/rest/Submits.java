package io.belfry.server.rest;

import io.belfry.model.task.TaskId;
import io.belfry.server.access.Audit;
import io.belfry.server.rest.Problem.Code;
import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one request has submitted, for the audit log: what defines work by name and task, what was refused for want of the role, all else as numbers.
 * What defines work is never cut, or an executor could be hidden between others with long addresses: it is told in as many entries as it takes.
 *
 * <p>Threading: confined to its request.
 */
final class Submits {
  /** Ids of tasks that are named of each executor. */
  private static final int NAMED_MAX = 10;

  private static final String UNKNOWN = ": it is not known whether they were submitted";

  private final Call call;
  private final Map<String, List<TaskId>> defined = new LinkedHashMap<>();
  private final Map<String, Integer> plain = new LinkedHashMap<>();
  private final Map<String, Integer> forbidden = new LinkedHashMap<>();
  private final Map<String, Integer> unknown = new LinkedHashMap<>();

  Submits(Call call) {
    this.call = call;
  }

  void accepted(SubmitRoutes.Reading task, TaskId id) {
    if (task.defines()) {
      defined.computeIfAbsent(task.what(), unused -> new ArrayList<>()).add(id);
    } else {
      plain.merge(task.what(), 1, Integer::sum);
    }
  }

  void refused(SubmitRoutes.Reading task, Problem problem) {
    if (problem.code() == Code.FORBIDDEN) {
      forbidden.merge(task.what(), 1, Integer::sum);
    }
  }

  /** What defines work is written down unless it is certain that it was not taken in. */
  void refusedByStore(SubmitRoutes.Reading task, RuntimeException cause) {
    if (task.defines() && cause instanceof StoreException.Unknown) {
      unknown.merge(task.what(), 1, Integer::sum);
    }
  }

  /** All of the request is known. */
  void end() {
    if (!defined.isEmpty()) {
      call.audited(new Call.Audited.Change(packed(named(defined), "; ", "")));
    }
    plain.forEach((what, count) -> call.audited(new Call.Audited.Submits(what, count)));
    if (!unknown.isEmpty()) {
      call.audited(new Call.Audited.Change(packed(counted(unknown), ", ", UNKNOWN)));
    }
    if (!forbidden.isEmpty()) {
      call.audited(new Call.Audited.Refusal(packed(counted(forbidden), ", ", "")));
    }
  }

  private static List<String> counted(Map<String, Integer> all) {
    var each = new ArrayList<String>();
    all.forEach((what, count) -> each.add(count + " × " + what));
    return each;
  }

  private static List<String> named(Map<String, List<TaskId>> defined) {
    var each = new ArrayList<String>();
    defined.forEach((what, ids) -> {
      var text = new StringBuilder(what).append(" (task ");
      List<TaskId> named = ids.subList(0, Math.min(NAMED_MAX, ids.size()));
      text.append(String.join(", ", named.stream().map(TaskId::toString).toList()));
      if (named.size() < ids.size()) {
        text.append(" and ").append(ids.size() - named.size()).append(" more");
      }
      each.add(text.append(')').toString());
    });
    return each;
  }

  /** As few texts as hold all the parts whole, each part in one of them. A part is far shorter than an entry. */
  private static List<String> packed(List<String> parts, String between, String end) {
    var texts = new ArrayList<String>();
    var text = new StringBuilder();
    for (String part : parts) {
      int length = text.length() + between.length() + part.length() + end.length();
      if (!text.isEmpty() && length > Audit.TARGET_CHARS_MAX) {
        texts.add(text.append(end).toString());
        text.setLength(0);
      }
      text.append(text.isEmpty() ? "" : between).append(part);
    }
    texts.add(text.append(end).toString());
    return texts;
  }
}
