package io.belfry.cli;

import io.belfry.cli.show.Width;
import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Group.MissingVerb;
import io.belfry.model.InvalidException;
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

/** What went wrong, in a sentence, never as a stack trace: the user cannot mend our code. Threading: stateless. */
final class Complaints {
  private static final Pattern VALUE = Pattern.compile(
      "Invalid value for (?:option '(?<option>[^']+)'(?: \\([^)]*\\))?|positional parameter at index \\S+ \\((?<label>[^)]+)\\)): "
          + "(?:(?<number>'.*') is not an? (?:int|long)"
          + "|expected one of \\[(?<words>[^]]*)\\] \\(case-insensitive\\) but was (?<word>'.*'))",
      Pattern.DOTALL);

  static final int FAILED = 1;
  static final int MISUSED = 2;
  static final int INTERRUPTED = 130;

  private Complaints() {}

  static int about(CommandLine line, Exception failure) {
    PrintWriter err = line.getErr();
    switch (failure) {
      case CronSyntaxException syntax -> {
        say(err, syntax.problem() + ". " + syntax.remedy());
        syntax.pointer().lines().forEach(each -> err.println("  " + Width.plain(each)));
      }
      case Complaint known -> say(err, text(known));
      case InvalidException invalid -> say(err, text(invalid));
      case IllegalArgumentException invalid -> say(err, text(invalid));
      case CancellationException stopped -> {
        return INTERRUPTED;
      }
      case InterruptedException stopped -> {
        Thread.currentThread().interrupt();
        return INTERRUPTED;
      }
      case IOException io -> say(err, io.getClass().getSimpleName() + ": " + text(io));
      default ->
        say(
            err,
            "something unexpected happened: " + failure.getClass().getSimpleName() + ": "
                + text(failure) + " Please report it, with the command.");
    }
    return FAILED;
  }

  private static String text(Exception e) {
    return String.valueOf(e.getMessage());
  }

  private static void say(PrintWriter err, String sentence) {
    err.println("belfry: " + Width.plain(sentence));
  }

  /** With the way to use it, in short; the whole of it where not even a verb was named. */
  static int aboutUse(ParameterException misuse, String[] arguments) {
    CommandLine line = misuse.getCommandLine();
    PrintWriter err = line.getErr();
    say(err, words(misuse));
    if (misuse instanceof MissingVerb) {
      line.usage(err, line.getColorScheme());
      return MISUSED;
    }
    if (misuse instanceof UnmatchedArgumentException unmatched) {
      List<String> likely = likely(unmatched, line);
      if (!likely.isEmpty()) {
        err.println("Did you mean: " + String.join(", ", likely) + "?");
      }
    }
    String name = line.getCommandSpec().qualifiedName();
    err.print("Usage: "
        + new Help(line.getCommandSpec(), line.getColorScheme()).synopsis("Usage: ".length()));
    err.println("Try '" + name + " --help'.");
    return MISUSED;
  }

  /** What picocli says of values and words too many, in words that say what was expected. */
  private static String words(ParameterException misuse) {
    if (misuse instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String name = misuse.getCommandLine().getCommandSpec().qualifiedName();
      String given = unmatched.getUnmatched().getFirst();
      return misuse.getCommandLine().getSubcommands().isEmpty()
          ? "'" + given + "' is one word too many for '" + name + "'."
          : "There is no command '" + given + "' in '" + name + "'.";
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

  /** What picocli finds alike, and what is a slip of the finger away. */
  private static List<String> likely(UnmatchedArgumentException unmatched, CommandLine line) {
    var likely = new LinkedHashSet<>(unmatched.getSuggestions());
    String given = unmatched.getUnmatched().getFirst();
    line.getSubcommands().keySet().stream()
        .filter(name -> Slip.isBetween(given, name))
        .forEach(likely::add);
    return List.copyOf(likely);
  }
}
