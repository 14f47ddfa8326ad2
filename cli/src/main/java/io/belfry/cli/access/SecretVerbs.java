package io.belfry.cli.access;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry secret}. */
public final class SecretVerbs {
  private SecretVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "secret",
        description,
        List.of(
            new SecretList(context),
            new SecretPut(context),
            new SecretDelete(context),
            new SecretRotate(context)));
  }
}
