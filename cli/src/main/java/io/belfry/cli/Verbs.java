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
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All verbs, of which only the one that was asked for is made: reading the annotations of all of them would take longer than most
 * of them take.
 *
 * <p>Threading: confined to the start.
 */
final class Verbs {
  /** Name and description of ours; made by a switch, because linking a lambda for each would cost what is saved here. */
  private static final String[][] OURS = {
    {"job", "What is to be done, and when."},
    {"task", "What is done once."},
    {"workers", "Who works, and how much."},
    {"cluster", "Who decides, and what happens."},
    {"calendar", "The days that jobs go by."},
    {"namespace", "What belongs together."},
    {"token", "Who may do what."},
    {"secret", "What executors need and nobody may see."},
    {"audit", "Shows who changed what, when and from where, the newest first."},
    {"cron", "Asks cron expressions what they mean."},
    {"completion", "Prints a script that lets a shell complete commands and options."}
  };

  private final Surroundings around;
  private final List<MoreVerb> more;

  Verbs(Surroundings around, List<MoreVerb> more) {
    this.around = around;
    this.more = more;
  }

  /** Adds all of them to the program, those that are not needed only by name. */
  void addTo(CommandLine program, List<String> arguments) {
    String first = first(arguments);
    boolean everything = first.equals("help") || first.equals("completion");
    for (MoreVerb verb : more) {
      boolean wanted = everything || verb.name().equals(first);
      program.addSubcommand(
          verb.name(), wanted ? verb.line().get() : nameOnly(verb.name(), verb.description()));
    }
    for (String[] verb : OURS) {
      boolean wanted = everything || verb[0].equals(first);
      program.addSubcommand(verb[0], wanted ? whole(verb[0], verb[1]) : nameOnly(verb[0], verb[1]));
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

  private CommandLine whole(String name, String description) {
    return switch (name) {
      case "job" -> JobVerbs.line(description, around);
      case "task" -> TaskVerbs.line(description, around);
      case "workers" -> WorkersVerbs.line(description, around);
      case "cluster" -> ClusterVerbs.line(description, around);
      case "calendar" -> CalendarVerbs.line(description, around);
      case "namespace" -> NamespaceVerbs.line(description, around);
      case "token" -> TokenVerbs.line(description, around);
      case "secret" -> SecretVerbs.line(description, around);
      case "audit" -> AuditVerb.line(around);
      case "cron" -> new CommandLine(new CronCommand()).addSubcommand(new CronNext(around.time()));
      case "completion" -> new CommandLine(new Completion());
      default -> throw new IllegalStateException("There is no verb " + name + ".");
    };
  }

  private static CommandLine nameOnly(String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description(description);
    return new CommandLine(spec);
  }
}
