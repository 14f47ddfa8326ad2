package io.belfry.library;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedScenarioTest extends Scenario {
  @TempDir
  Path directory;

  @Override
  protected Settings settings() {
    return Settings.defaults().store("embedded:" + directory.resolve("data"));
  }
}
