package io.belfry.dist.supply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code belfry sbom}. Threading: confined to its run. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Print the software bill of materials (SBOM) of this program as CycloneDX JSON: all Java libraries in the jar and all npm packages of the web interface.",
      "Packages that were only used in the build have the scope \"excluded\". Needs no network."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  belfry sbom", "  belfry sbom --file belfry.cdx.json"})
public final class SbomCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "File to write the SBOM to. Default: standard output.")
  private @Nullable Path file;

  private SbomCommand() {}

  public static CommandLine line() {
    return new CommandLine(new SbomCommand());
  }

  @Override
  public Integer call() throws IOException {
    String json = Sbom.own().json();
    if (file == null) {
      spec.commandLine().getOut().println(json);
    } else {
      Files.writeString(file, json + "\n");
    }
    return 0;
  }
}
