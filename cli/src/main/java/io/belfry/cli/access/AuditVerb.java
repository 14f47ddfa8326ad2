package io.belfry.cli.access;

import io.belfry.cli.verb.Surroundings;
import picocli.CommandLine;

/** {@code belfry audit}. */
public final class AuditVerb {
  private AuditVerb() {}

  public static CommandLine line(Surroundings around) {
    return new CommandLine(new AuditList(around));
  }
}
