package io.belfry.server.verb;

import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.server.node.FileModes;
import io.belfry.server.node.SettingsCheck;
import io.belfry.server.work.NamespaceExecutors;

/**
 * Validates a whole configuration as a start would, without opening anything.
 *
 * <p>Threading: stateless.
 */
final class Inspection {
  private Inspection() {}

  /** Adds all problems of the configuration. */
  static void of(Config config, Problems problems) {
    problems.trying(() -> Address.of(config).listener().tls().ifPresent(files -> {
      SettingsCheck.readable(SettingsCatalog.SERVER_CERTIFICATE, files.certificate());
      SettingsCheck.readable(SettingsCatalog.SERVER_KEY, files.key());
      FileModes.checkGiven(SettingsCatalog.SERVER_KEY.key(), files.key());
    }));
    problems.trying(() -> Address.clients(config));
    SettingsCheck.check(config, problems);
    problems.trying(() -> NamespaceExecutors.checkRules(config));
    problems.trying(() -> NamespaceExecutors.checkScripts(config));
    problems.trying(() -> {
      var unused = Program.submitRule(config);
    });
  }
}
