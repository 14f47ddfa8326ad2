package io.belfry.cli.task;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry task}. */
public final class TaskVerbs {
  private TaskVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "task",
        description,
        List.of(
            new TaskSubmit(around),
            new TaskGet(around),
            new TaskList(around),
            new TaskCancel(around),
            new TaskRetry(around),
            new TaskLogs(around),
            new TaskPriority(around)));
  }
}
