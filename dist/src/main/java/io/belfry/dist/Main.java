package io.belfry.dist;

import io.belfry.cli.MoreVerb;
import io.belfry.dist.bench.BenchCommand;
import io.belfry.dist.supply.AdvisoriesCommand;
import io.belfry.dist.supply.SbomCommand;
import io.belfry.server.demo.DemoCommand;
import io.belfry.server.verb.ServerVerbs;
import java.util.List;
import java.util.Map;

/** The program {@code belfry} as a whole: the verbs of the command line, and those that run a node. Threading: stateless. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(io.belfry.cli.Main.run(args, verbs(System.getenv())));
  }

  private static List<MoreVerb> verbs(Map<String, String> environment) {
    return List.of(
        new MoreVerb(
            "demo",
            "Runs a server with sample jobs, to look at and to play with.",
            DemoCommand::line),
        new MoreVerb(
            "server",
            "Runs a node: schedules, works, serves the API and the web interface.",
            () -> ServerVerbs.server(environment)),
        new MoreVerb(
            "scheduler", "The same, without working.", () -> ServerVerbs.scheduler(environment)),
        new MoreVerb(
            "worker", "The same, without scheduling.", () -> ServerVerbs.worker(environment)),
        new MoreVerb(
            "config",
            "Checks and shows the configuration of a node.",
            () -> ServerVerbs.config(environment)),
        new MoreVerb(
            "bench",
            "Measures how much this installation does, and how punctually.",
            () -> BenchCommand.line(environment)),
        new MoreVerb(
            "sbom",
            "Prints the software bill of materials (SBOM) of this program.",
            SbomCommand::line),
        new MoreVerb(
            "advisories",
            "Checks the SBOM against a list of published security advisories.",
            AdvisoriesCommand::line));
  }
}
