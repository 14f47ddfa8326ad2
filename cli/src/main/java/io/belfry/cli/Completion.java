package io.belfry.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code belfry completion}: the script is made from the verbs themselves. */
@Command(
    name = "completion",
    description = "Prints a script that lets a shell complete commands and options.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(belfry completion bash)",
      "  belfry completion zsh > ~/.belfry-completion && echo 'source ~/.belfry-completion' >> ~/.zshrc"
    })
final class Completion implements Callable<Integer> {
  /** Those that the script works in. */
  enum Shell {
    BASH,
    ZSH
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    String script = AutoComplete.bash("belfry", spec.root().commandLine());
    spec.commandLine()
        .getOut()
        .print(shell == Shell.ZSH ? "autoload -U +X compinit && compinit\n" + script : script);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
