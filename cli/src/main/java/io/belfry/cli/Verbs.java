package io.belfry.cli;

import io.belfry.cli.access.AuditVerb;
import io.belfry.cli.access.NamespaceVerbs;
import io.belfry.cli.access.SecretVerbs;
import io.belfry.cli.access.TokenVerbs;
import io.belfry.cli.calendar.CalendarVerbs;
import io.belfry.cli.cluster.ClusterVerbs;
import io.belfry.cli.cluster.WorkersVerbs;
import io.belfry.cli.job.JobVerbs;
import io.belfry.cli.task.TaskVerbs;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Registers all verbs, and creates only the requested one: picocli needs longer to read the annotations of all verbs than most verbs
 * need to run.
 *
 * <p>Threading: confined to the main thread.
 */
final class Verbs {
  /** Names and descriptions. A switch creates the verbs: linking one lambda per verb would cost the time that is saved here. */
  private static final String[][] BUILT_IN = {
    {"job", "Manage jobs: apply, list, trigger, enable, disable, explain."},
    {"task", "Manage tasks: submit, inspect, cancel, retry."},
    {"workers", "Manage workers: list, drain, set capacity."},
    {"cluster", "Inspect and control the cluster: status, pause, resume, events, load balancing."},
    {"calendar", "Manage calendars: the days on which jobs may fire."},
    {"namespace", "Manage namespaces."},
    {"token", "Manage API tokens and roles."},
    {"secret", "Manage secrets used by executors."},
    {"audit", "Show the audit log, the newest entry first: who changed what, when and from where."},
    {"cron", "Explain cron expressions."},
    {"completion", "Print a shell completion script for bash or zsh."}
  };

  private final VerbContext context;
  private final List<PluggedVerb> more;

  Verbs(VerbContext context, List<PluggedVerb> more) {
    this.context = context;
    this.more = more;
  }

  /** Adds all verbs to the program; verbs that the arguments do not need get only name and description. */
  void addTo(CommandLine program, List<String> arguments) {
    String first = first(arguments);
    boolean everything = first.equals("help") || first.equals("completion");
    for (PluggedVerb verb : more) {
      boolean wanted = everything || verb.name().equals(first);
      program.addSubcommand(
          verb.name(), wanted ? verb.line().get() : nameOnly(verb.name(), verb.description()));
    }
    for (String[] verb : BUILT_IN) {
      boolean wanted = everything || verb[0].equals(first);
      program.addSubcommand(
          verb[0], wanted ? create(verb[0], verb[1]) : nameOnly(verb[0], verb[1]));
    }
    program.addSubcommand("help", new HelpVerb());
  }

  private static String first(List<String> arguments) {
    for (String word : arguments) {
      if (!word.startsWith("-")) {
        return word;
      }
    }
    return "";
  }

  private CommandLine create(String name, String description) {
    return switch (name) {
      case "job" -> JobVerbs.line(description, context);
      case "task" -> TaskVerbs.line(description, context);
      case "workers" -> WorkersVerbs.line(description, context);
      case "cluster" -> ClusterVerbs.line(description, context);
      case "calendar" -> CalendarVerbs.line(description, context);
      case "namespace" -> NamespaceVerbs.line(description, context);
      case "token" -> TokenVerbs.line(description, context);
      case "secret" -> SecretVerbs.line(description, context);
      case "audit" -> AuditVerb.line(context);
      case "cron" -> new CommandLine(new CronCommand()).addSubcommand(new CronNext(context.time()));
      case "completion" -> new CommandLine(new Completion());
      default -> throw new IllegalStateException("Unknown verb " + name + ".");
    };
  }

  private static CommandLine nameOnly(String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description(description);
    return new CommandLine(spec);
  }
}
