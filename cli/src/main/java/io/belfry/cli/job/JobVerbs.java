package io.belfry.cli.job;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry job}. */
public final class JobVerbs {
  private JobVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "job",
        description,
        List.of(
            new JobApply(context),
            new JobGet(context),
            new JobList(context),
            new JobDelete(context),
            new JobEnable(context),
            new JobDisable(context),
            new JobTrigger(context),
            new JobExplain(context),
            new JobVersions(context),
            new JobRestore(context)));
  }
}
