package io.belfry.cli.cluster;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry cluster}. */
public final class ClusterVerbs {
  private ClusterVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    CommandLine strategy = Group.of(
        "strategy",
        "Manage the load-balancing strategy: get, set, reset.",
        List.of(new StrategyGet(context), new StrategySet(context), new StrategyReset(context)));
    return Group.of("cluster", description, List.of(new ClusterStatus(context)))
        .addSubcommand("strategy", strategy)
        .addSubcommand(new ClusterPause(context))
        .addSubcommand(new ClusterResume(context))
        .addSubcommand(new ClusterEvents(context));
  }
}
