package io.belfry.server.verb;

import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import io.belfry.server.node.FileModes;
import io.belfry.server.node.Fitting;
import io.belfry.server.work.NamespaceExecutors;

/**
 * Whether a node could be what it is configured to be: everything that its start refuses, without opening anything.
 *
 * <p>Threading: stateless.
 */
final class Inspection {
  private Inspection() {}

  /** Tells all that is wrong with it. */
  static void of(Config config, Problems problems) {
    problems.trying(() -> Address.of(config).listener().tls().ifPresent(files -> {
      Fitting.readable(Catalogue.SERVER_CERTIFICATE, files.certificate());
      Fitting.readable(Catalogue.SERVER_KEY, files.key());
      FileModes.checkGiven(Catalogue.SERVER_KEY.key(), files.key());
    }));
    problems.trying(() -> Address.clients(config));
    Fitting.check(config, problems);
    problems.trying(() -> NamespaceExecutors.checkRules(config));
    problems.trying(() -> NamespaceExecutors.checkScripts(config));
    problems.trying(() -> {
      var unused = Program.submitRule(config);
    });
  }
}
