package io.belfry.cli.access;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry namespace}. */
public final class NamespaceVerbs {
  private NamespaceVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "namespace",
        description,
        List.of(
            new NamespaceList(context),
            new NamespaceCreate(context),
            new NamespaceDelete(context)));
  }
}
