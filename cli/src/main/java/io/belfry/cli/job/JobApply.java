package io.belfry.cli.job;

import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.Documents;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
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
        "Create or update jobs from files. Jobs that already have the same definition stay unchanged.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry job apply -f nightly-invoices.yaml",
      "  belfry job apply -f jobs/ --dry-run",
      "  belfry job apply -f jobs/ --prune --label team=billing --yes",
      "  generate-jobs | belfry job apply -f -",
      "",
      "Files are YAML, with one or more documents, or JSON. If a document is",
      "refused, the others are still saved and the exit code is 1. --prune deletes",
      "nothing in that case."
    })
final class JobApply extends Verb {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "File, folder (read recursively), or - for standard input. Can be repeated.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--dry-run",
      description = "Show what would be created, changed or deleted, without saving anything.")
  private boolean dryRun;

  @Option(
      names = "--prune",
      description = "Delete the jobs with the --label that are not in the files.")
  private boolean prune;

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description =
          "Label that marks the jobs managed by these files; --prune deletes labelled jobs that are not in them.")
  private @Nullable String label;

  @Option(
      names = {"-y", "--yes"},
      description = "Delete with --prune without asking for confirmation.")
  private boolean yes;

  JobApply(VerbContext context) {
    super(context);
  }

  @Override
  protected void check() {
    if (prune != (label != null)) {
      throw usage(
          "--prune and --label must be given together: the label marks the jobs managed by the files.");
    }
    if (label != null && !label.matches("[^=]+=.+")) {
      throw usage("--label must be KEY=VALUE, but was '" + label + "'.");
    }
    if (prune && !yes && !dryRun && (!context().screen().in() || files.contains("-"))) {
      throw usage(
          "--prune asks for confirmation, but standard input is not a terminal. Add --yes or --dry-run.");
    }
  }

  @Override
  protected int run(BelfryClient client, Printer printer) throws IOException {
    Documents.Found found = Documents.read(files, context().in());
    if (found.documents().isEmpty() && found.broken().isEmpty()) {
      throw new CliException("No jobs found in " + String.join(", ", files) + ".");
    }
    var apply = new ApplyRun(client, printer, dryRun);
    found.broken().forEach(apply::broken);
    apply.all(found.documents());
    if (label != null) {
      new PruneRun(client, printer, context().in(), dryRun, yes).run(label, apply);
    }
    apply.summary();
    return apply.refused() == 0 ? 0 : 1;
  }
}
