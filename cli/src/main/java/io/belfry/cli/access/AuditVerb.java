package io.belfry.cli.access;

import io.belfry.cli.verb.VerbContext;
import picocli.CommandLine;

/** {@code belfry audit}. */
public final class AuditVerb {
  private AuditVerb() {}

  public static CommandLine line(VerbContext context) {
    return new CommandLine(new AuditList(context));
  }
}
