package io.belfry.cli.job;

import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Takes the next argument as the value even if it looks like an option: {@code -next} is a sort order, not the option {@code -n}. */
final class VerbatimValue implements IParameterConsumer {
  @Override
  @SuppressWarnings("JdkObsolete") // the interface is picocli's
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty()) {
      throw new ParameterException(command.commandLine(), "--sort requires a field.");
    }
    option.setValue(words.pop());
  }
}
