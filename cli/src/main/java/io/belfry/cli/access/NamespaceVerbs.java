package io.belfry.cli.access;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry namespace}. */
public final class NamespaceVerbs {
  private NamespaceVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "namespace",
        description,
        List.of(
            new NamespaceList(around), new NamespaceCreate(around), new NamespaceDelete(around)));
  }
}
