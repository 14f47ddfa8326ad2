package io.belfry.cli.task;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry task}. */
public final class TaskVerbs {
  private TaskVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "task",
        description,
        List.of(
            new TaskSubmit(context),
            new TaskGet(context),
            new TaskList(context),
            new TaskCancel(context),
            new TaskRetry(context),
            new TaskLogs(context),
            new TaskPriority(context)));
  }
}
