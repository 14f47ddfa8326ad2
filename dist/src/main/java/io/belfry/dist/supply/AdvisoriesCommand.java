package io.belfry.dist.supply;

import io.belfry.dist.supply.Advisories.Finding;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code belfry advisories}. Threading: confined to its run. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Check the SBOM of this program against a list of published security advisories and print every affected package.",
      "The exit code is 1 if a package is affected. Prints a warning if the list is older than 90 days. Needs no network."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry advisories",
      "  belfry advisories --list newer.json",
      "  belfry advisories --sbom other.cdx.json"
    })
public final class AdvisoriesCommand implements Callable<Integer> {
  static final long DAYS_MAX = 90;
  private static final String OWN = "/advisories.json";

  private final Time time;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = "--list",
      paramLabel = "FILE",
      description = "JSON file with advisories. Default: the built-in list.")
  private @Nullable Path list;

  @Option(
      names = "--sbom",
      paramLabel = "FILE",
      description = "CycloneDX JSON file to check. Default: the SBOM of this program.")
  private @Nullable Path sbom;

  private AdvisoriesCommand(Time time) {
    this.time = time;
  }

  public static CommandLine line() {
    return line(Time.system());
  }

  static CommandLine line(Time time) {
    return new CommandLine(new AdvisoriesCommand(time));
  }

  @Override
  public Integer call() throws IOException {
    Advisories advisories = Advisories.parse(list == null ? own() : Files.readString(list));
    List<Component> components =
        (sbom == null ? Sbom.own() : Sbom.parse(Files.readString(sbom))).components();
    PrintWriter out = spec.commandLine().getOut();
    warnIfOld(advisories.compiled());
    List<Finding> findings = advisories.findings(components);
    findings.forEach(
        each -> out.println(each.advisory().id() + " " + each.advisory().severity() + ": "
            + each.component() + " – " + each.advisory().summary()));
    out.println(components.size() + " packages, " + advisories.all().size() + " advisories of "
        + advisories.compiled() + ", " + findings.size() + " found.");
    return findings.isEmpty() ? 0 : 1;
  }

  static String own() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(AdvisoriesCommand.class.getResourceAsStream(OWN))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void warnIfOld(LocalDate compiled) {
    long days =
        ChronoUnit.DAYS.between(compiled, time.wall().atZone(ZoneOffset.UTC).toLocalDate());
    if (days > DAYS_MAX) {
      spec.commandLine()
          .getErr()
          .println("Warning: the list of advisories is " + days + " days old (" + compiled
              + "). Use a newer version of Belfry, or give a newer list with --list.");
    }
  }
}
