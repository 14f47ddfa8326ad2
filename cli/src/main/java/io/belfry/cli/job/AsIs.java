package io.belfry.cli.job;

import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Takes the next word whatever it looks like: {@code -next} is an order here, not the option {@code -n}. */
final class AsIs implements IParameterConsumer {
  @Override
  @SuppressWarnings("JdkObsolete") // the interface is picocli's
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty()) {
      throw new ParameterException(command.commandLine(), "--sort needs a field.");
    }
    option.setValue(words.pop());
  }
}
