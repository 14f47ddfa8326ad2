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
@Command(name = "help", description = "Shows how a command is used.")
final class HelpVerb implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Such as: job apply.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine line = spec.root().commandLine();
    for (String word : words) {
      @Nullable CommandLine next = line.getSubcommands().get(word);
      if (next == null) {
        throw new ParameterException(
            line,
            "There is no command '" + word + "' in '" + line.getCommandSpec().qualifiedName()
                + "'.");
      }
      line = next;
    }
    line.usage(spec.commandLine().getOut(), line.getColorScheme());
    return 0;
  }
}
