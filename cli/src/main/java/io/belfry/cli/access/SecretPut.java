package io.belfry.cli.access;

import io.belfry.cli.show.Width;
import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
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
        "Stores a secret, encrypted. Executors use it as ${secret:NAME} and send it to its destinations only.",
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
          "Where the value stands; - is standard input. Default: it is asked for, unseen.")
  private @Nullable String file;

  @Option(
      names = "--destination",
      paramLabel = "ORIGIN",
      required = true,
      description =
          "Where executors may send the secret: an origin such as https://billing.example.org:8443 or https://*.example.org, script for scripts, or * for any destination. May be repeated.")
  private List<String> destinations = new ArrayList<>();

  SecretPut(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) throws IOException {
    String value = value();
    if (value.isEmpty()) {
      throw new Complaint("A secret must not be empty. Nothing was stored.");
    }
    client.access().putSecret(name, value, destinations);
    report.say("Secret " + name + " is stored. Use it as ${secret:" + name + "}.");
    if (destinations.contains("*")) {
      report.note("Secret " + name
          + " may be sent to any server. Name its destinations instead of * to prevent that.");
    }
    return 0;
  }

  /** Never as an argument: those are seen by everybody on the machine, and kept by the shell. */
  private String value() throws IOException {
    if (file == null) {
      return asked();
    }
    if (file.equals("-")) {
      return withoutLastBreak(new String(around().in().readAllBytes(), StandardCharsets.UTF_8));
    }
    try {
      return withoutLastBreak(Files.readString(Path.of(file)));
    } catch (NoSuchFileException e) {
      throw new Complaint("There is no file " + file + ".", e);
    }
  }

  private String asked() {
    @Nullable Console console = around().screen().in() ? System.console() : null;
    if (console == null) {
      throw usage(
          "Nobody is there to type the value. Give it with --file FILE, or --file - for standard input.");
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
