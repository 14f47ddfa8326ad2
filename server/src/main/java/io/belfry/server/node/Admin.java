package io.belfry.server.node;

import io.belfry.model.Check;
import io.belfry.server.access.Tokens;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The first admin token: from a file, or made by the first node there is. Threading: stateless. */
final class Admin {
  static final String FILE = "admin.token";
  private static final int LENGTH_MIN = 32;

  private Admin() {}

  /**
   * What came of it.
   *
   * @param made the token, if this node has just made it: it is shown once
   * @param by the node that made it, if that was another
   */
  record Outcome(Optional<String> made, Optional<String> by) {}

  static Outcome ensure(Config config, Tokens tokens, String node) {
    Optional<String> file = config.find(Catalogue.ADMIN_TOKEN_FILE);
    if (file.isPresent()) {
      tokens.appoint(read(Path.of(file.get())), node);
      return new Outcome(Optional.empty(), Optional.empty());
    }
    Path own = LibrarySettings.data(config).resolve(FILE);
    FileModes.checkOwn(Catalogue.ADMIN_TOKEN_FILE.key(), own);
    Optional<String> first = tokens.begunBy();
    if (first.isPresent()) {
      return new Outcome(Optional.empty(), Files.exists(own) ? Optional.empty() : first);
    }
    // The file comes first: a token whose only copy was lost in a crash would lock everybody out.
    String token = tokens.random();
    Keys.write(own, token);
    if (tokens.begin(token, node)) {
      return new Outcome(Optional.of(token), Optional.empty());
    }
    own.toFile().delete();
    return new Outcome(Optional.empty(), tokens.begunBy());
  }

  /** The token of a file; a short one is refused, because only what cannot be guessed may be kept as a plain hash. */
  static String read(Path file) {
    FileModes.checkGiven(Catalogue.ADMIN_TOKEN_FILE.key(), file);
    String token = Keys.read(file, Catalogue.ADMIN_TOKEN_FILE.key());
    Check.that(
        token.length() >= LENGTH_MIN && !token.contains(" ") && Tokens.isToken(token),
        Catalogue.ADMIN_TOKEN_FILE.key(),
        new Check.Amount(token.length(), "characters"),
        "must hold a token that begins with bft_ and has " + LENGTH_MIN
            + " to 200 characters without blanks, because whoever guesses it is an admin",
        "Make one: echo bft_$(head -c 32 /dev/urandom | base64 | tr -d '+/=').");
    return token;
  }
}
