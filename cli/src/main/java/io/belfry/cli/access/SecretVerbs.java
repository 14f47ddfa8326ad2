package io.belfry.cli.access;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry secret}. */
public final class SecretVerbs {
  private SecretVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "secret",
        description,
        List.of(
            new SecretList(around),
            new SecretPut(around),
            new SecretDelete(around),
            new SecretRotate(around)));
  }
}
