package io.belfry.cli.access;

import io.belfry.cli.show.Width;
import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "put",
    description =
        "Create or replace a secret. It is stored encrypted. Executors use it as ${secret:NAME} and send it only to its destinations.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry secret put billing-password --destination https://billing.example.org",
      "  belfry secret put billing-password --destination https://*.example.org:8443 --file password.txt",
      "  pass billing | belfry secret put billing-password --destination script --file -"
    })
final class SecretPut extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the secret.")
  private String name = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "File with the value, or - for standard input. Default: prompt for it without echo.")
  private @Nullable String file;

  @Option(
      names = "--destination",
      paramLabel = "ORIGIN",
      required = true,
      description =
          "Destination that executors may send the secret to: an origin such as https://billing.example.org:8443 or https://*.example.org, script for scripts, or * for any destination. Can be repeated.")
  private List<String> destinations = new ArrayList<>();

  SecretPut(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) throws IOException {
    String value = value();
    if (value.isEmpty()) {
      throw new CliException("The secret must not be empty. Nothing was stored.");
    }
    client.access().putSecret(name, value, destinations);
    printer.say("Secret " + name + " is stored. Use it as ${secret:" + name + "}.");
    if (destinations.contains("*")) {
      printer.note("Secret " + name
          + " may be sent to any server. To prevent that, list its destinations instead of *.");
    }
    return 0;
  }

  /** Reads the value from a file or a prompt. Arguments would be visible to other users and kept in the shell history. */
  private String value() throws IOException {
    if (file == null) {
      return prompted();
    }
    if (file.equals("-")) {
      return withoutLastBreak(new String(context().in().readAllBytes(), StandardCharsets.UTF_8));
    }
    try {
      return withoutLastBreak(Files.readString(Path.of(file)));
    } catch (NoSuchFileException e) {
      throw new CliException("There is no file " + file + ".", e);
    }
  }

  private String prompted() {
    @Nullable Console console = context().screen().in() ? System.console() : null;
    if (console == null) {
      throw usage(
          "Cannot prompt for the value, because standard input is not a terminal. Give it with --file FILE, or --file - for standard input.");
    }
    char @Nullable [] typed = console.readPassword("Value of %s: ", Width.plain(name));
    return typed == null ? "" : new String(typed);
  }

  private static String withoutLastBreak(String text) {
    return text.endsWith("\r\n")
        ? text.substring(0, text.length() - 2)
        : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }
}
