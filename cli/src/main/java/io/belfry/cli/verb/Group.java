package io.belfry.cli.verb;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups subcommands, such as {@code belfry job}. */
@Command(synopsisSubcommandLabel = "COMMAND")
public final class Group implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  private Group() {}

  /** Creates the group with these verbs. */
  public static CommandLine of(String name, String description, List<?> verbs) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new Group()).name(name);
    spec.usageMessage().description(description);
    var line = new CommandLine(spec);
    verbs.forEach(line::addSubcommand);
    return line;
  }

  @Override
  public void run() {
    throw new MissingVerb(spec.commandLine());
  }

  /** The command line ends with a group; the handler prints the commands of the group. */
  public static final class MissingVerb extends ParameterException {
    public MissingVerb(CommandLine line) {
      super(line, "Missing command after '" + line.getCommandSpec().qualifiedName() + "'.");
    }
  }
}
