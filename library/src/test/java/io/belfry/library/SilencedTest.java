package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilencedTest {
  @TempDir
  Path directory;

  @Test
  void a_handler_that_closes_the_standard_streams_stops_nobody() throws Exception {
    Path wentOn = directory.resolve("went-on");
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            SilencedNode.class.getName(),
            directory.resolve("data").toString(),
            wentOn.toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("said").toFile())
        .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
      assertThat(directory.resolve("said")).content().doesNotContain("into nothing");
      assertThat(process.exitValue()).isZero();
      assertThat(wentOn).hasContent("went on");
    } finally {
      process.destroyForcibly();
    }
  }
}
