package io.belfry.cli.access;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry token}. */
public final class TokenVerbs {
  private TokenVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "token",
        description,
        List.of(
            new TokenCreate(context),
            new TokenList(context),
            new TokenRevoke(context),
            new TokenLoginLink(context)));
  }
}
