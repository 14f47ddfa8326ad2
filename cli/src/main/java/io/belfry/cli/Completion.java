package io.belfry.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code belfry completion}: prints the completion script, which picocli generates from the commands. */
@Command(
    name = "completion",
    description = "Print a shell completion script for bash or zsh.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(belfry completion bash)",
      "  belfry completion zsh > ~/.belfry-completion && echo 'source ~/.belfry-completion' >> ~/.zshrc"
    })
final class Completion implements Callable<Integer> {
  /** The supported shells. */
  enum Shell {
    BASH,
    ZSH
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      description = "Shell to complete for: bash or zsh. Default: bash.")
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
