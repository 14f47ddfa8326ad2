package io.belfry.cli.verb;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A word that only means something with a verb behind it, such as {@code belfry job}. */
@Command(synopsisSubcommandLabel = "COMMAND")
public final class Group implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  private Group() {}

  /** The group with these verbs; each knows its own name. */
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

  /** Nothing was asked: the user gets to see what could be. */
  public static final class MissingVerb extends ParameterException {
    public MissingVerb(CommandLine line) {
      super(line, "A command is needed after '" + line.getCommandSpec().qualifiedName() + "'.");
    }
  }
}
