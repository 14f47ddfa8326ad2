package io.belfry.cli.access;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry token}. */
public final class TokenVerbs {
  private TokenVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "token",
        description,
        List.of(
            new TokenCreate(around),
            new TokenList(around),
            new TokenRevoke(around),
            new TokenLoginLink(around)));
  }
}
