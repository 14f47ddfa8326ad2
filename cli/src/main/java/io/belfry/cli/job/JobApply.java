package io.belfry.cli.job;

import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "apply",
    description =
        "Saves jobs from files: new ones are created, changed ones changed, the others left alone.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job apply -f nightly-invoices.yaml",
      "  belfry job apply -f jobs/ --dry-run",
      "  belfry job apply -f jobs/ --prune --label team=billing --yes",
      "  generate-jobs | belfry job apply -f -",
      "",
      "Files are YAML, with several documents if need be, or JSON. One that is refused",
      "does not keep the others from being saved; the exit code is 1 then. Nothing is",
      "pruned while a document is refused."
    })
final class JobApply extends Verb {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "File, folder (with all below it), or - for standard input. May be repeated.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--dry-run",
      description = "Says what would happen, with what would change, and changes nothing.")
  private boolean dryRun;

  @Option(names = "--prune", description = "Deletes the jobs with the label that are in no file.")
  private boolean prune;

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "In the metadata of the jobs that these files are all of; for --prune.")
  private @Nullable String label;

  @Option(
      names = {"-y", "--yes"},
      description = "Prunes without asking.")
  private boolean yes;

  JobApply(Surroundings around) {
    super(around);
  }

  @Override
  protected void check() {
    if (prune != (label != null)) {
      throw usage(
          "--prune and --label belong together: the label says which jobs the files are all of.");
    }
    if (label != null && !label.matches("[^=]+=.+")) {
      throw usage("--label must be KEY=VALUE, but was '" + label + "'.");
    }
    if (prune && !yes && !dryRun && (!around().screen().in() || files.contains("-"))) {
      throw usage(
          "--prune asks before it deletes, but nobody is there to answer. Add --yes, or --dry-run.");
    }
  }

  @Override
  protected int run(BelfryClient client, Report report) throws IOException {
    Documents.Found found = Documents.read(files, around().in());
    if (found.documents().isEmpty() && found.broken().isEmpty()) {
      throw new Complaint("There is no job in " + String.join(", ", files) + ".");
    }
    var apply = new Applying(client, report, dryRun);
    found.broken().forEach(apply::broken);
    apply.all(found.documents());
    if (label != null) {
      new Pruning(client, report, around().in(), dryRun, yes).run(label, apply);
    }
    apply.summary();
    return apply.refused() == 0 ? 0 : 1;
  }
}
