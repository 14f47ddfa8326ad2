package io.belfry.cli;

import io.belfry.cli.show.Width;
import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Group.MissingVerb;
import io.belfry.model.InvalidException;
import io.belfry.model.Typo;
import io.belfry.model.cron.CronSyntaxException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints errors as sentences, never as stack traces, and chooses the exit code. Threading: stateless. */
final class ErrorHandler {
  private static final Pattern VALUE = Pattern.compile(
      "Invalid value for (?:option '(?<option>[^']+)'(?: \\([^)]*\\))?|positional parameter at index \\S+ \\((?<label>[^)]+)\\)): "
          + "(?:(?<number>'.*') is not an? (?:int|long)"
          + "|expected one of \\[(?<words>[^]]*)\\] \\(case-insensitive\\) but was (?<word>'.*'))",
      Pattern.DOTALL);

  static final int FAILED = 1;
  static final int MISUSED = 2;
  static final int INTERRUPTED = 130;

  private ErrorHandler() {}

  /** Prints why the command failed and returns its exit code. */
  static int failure(CommandLine line, Exception failure) {
    PrintWriter err = line.getErr();
    switch (failure) {
      case CronSyntaxException syntax -> {
        print(err, syntax.problem() + ". " + syntax.remedy());
        syntax.pointer().lines().forEach(each -> err.println("  " + Width.plain(each)));
      }
      case CliException known -> print(err, text(known));
      case InvalidException invalid -> print(err, text(invalid));
      case IllegalArgumentException invalid -> print(err, text(invalid));
      case CancellationException stopped -> {
        return INTERRUPTED;
      }
      case InterruptedException stopped -> {
        Thread.currentThread().interrupt();
        return INTERRUPTED;
      }
      case IOException io -> print(err, io.getClass().getSimpleName() + ": " + text(io));
      default ->
        print(
            err,
            "Unexpected error: " + failure.getClass().getSimpleName() + ": " + text(failure)
                + " Please report it together with the command.");
    }
    return FAILED;
  }

  private static String text(Exception e) {
    return String.valueOf(e.getMessage());
  }

  private static void print(PrintWriter err, String sentence) {
    err.println("belfry: " + Width.plain(sentence));
  }

  /** Prints why the command line is invalid and its synopsis, or the whole help if the command is missing. */
  static int misuse(ParameterException misuse, String[] arguments) {
    CommandLine line = misuse.getCommandLine();
    PrintWriter err = line.getErr();
    print(err, message(misuse));
    if (misuse instanceof MissingVerb) {
      line.usage(err, line.getColorScheme());
      return MISUSED;
    }
    if (misuse instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = suggestions(unmatched, line);
      if (!suggestions.isEmpty()) {
        err.println("Did you mean: " + String.join(", ", suggestions) + "?");
      }
    }
    String name = line.getCommandSpec().qualifiedName();
    err.print("Usage: "
        + new Help(line.getCommandSpec(), line.getColorScheme()).synopsis("Usage: ".length()));
    err.println("Try '" + name + " --help'.");
    return MISUSED;
  }

  /** Picocli's message; for values and arguments one that says what was expected. */
  private static String message(ParameterException misuse) {
    if (misuse instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String name = misuse.getCommandLine().getCommandSpec().qualifiedName();
      String given = unmatched.getUnmatched().getFirst();
      return misuse.getCommandLine().getSubcommands().isEmpty()
          ? "Unexpected argument '" + given + "' for '" + name + "'."
          : HelpVerb.unknownCommand(given, name);
    }
    String text = text(misuse);
    Matcher value = VALUE.matcher(text);
    if (!value.matches()) {
      return text;
    }
    String what = value.group("option") == null ? value.group("label") : value.group("option");
    return value.group("words") == null
        ? what + " must be a whole number, but was " + value.group("number") + "."
        : what + " must be one of " + value.group("words").toLowerCase(Locale.ROOT) + ", but was "
            + value.group("word") + ".";
  }

  /** Picocli's suggestions, and the command whose name was mistyped. */
  private static List<String> suggestions(UnmatchedArgumentException unmatched, CommandLine line) {
    var suggestions = new LinkedHashSet<>(unmatched.getSuggestions());
    String given = unmatched.getUnmatched().getFirst();
    Typo.correction(given, line.getSubcommands().keySet()).ifPresent(suggestions::add);
    return List.copyOf(suggestions);
  }
}
