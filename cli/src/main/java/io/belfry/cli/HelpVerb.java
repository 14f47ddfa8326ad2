package io.belfry.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code belfry help job apply}: the same as {@code belfry job apply --help}. */
@Command(name = "help", description = "Show the help of a command.")
final class HelpVerb implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "Command to show help for, such as: job apply.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine line = spec.root().commandLine();
    for (String word : words) {
      @Nullable CommandLine next = line.getSubcommands().get(word);
      if (next == null) {
        throw new ParameterException(
            line, unknownCommand(word, line.getCommandSpec().qualifiedName()));
      }
      line = next;
    }
    line.usage(spec.commandLine().getOut(), line.getColorScheme());
    return 0;
  }

  static String unknownCommand(String given, String group) {
    return "Unknown command '" + given + "' for '" + group + "'.";
  }
}
