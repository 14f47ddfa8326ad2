package io.belfry.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs all browser tests at once, in one browser, and tells of each. */
class BrowserTest {
  private static final int MINUTES_MAX = 15;

  @TestFactory
  List<DynamicTest> the_interface(@TempDir Path folder) throws Exception {
    Path lines = folder.resolve("lines");
    Path said = folder.resolve("said");
    int exit = run(lines, said);
    List<DynamicTest> tests = new ArrayList<>();
    boolean failed = false;
    for (String line : Files.exists(lines) ? Files.readAllLines(lines) : List.<String>of()) {
      String[] parts = line.split("\t", 3);
      boolean passed = parts[0].equals("passed");
      failed |= !passed;
      tests.add(DynamicTest.dynamicTest(parts[1], () -> {
        if (!passed) {
          fail(parts[1] + "\n" + parts[2].replace("\\n", "\n"));
        }
      }));
    }
    String output = Files.readString(said);
    boolean explained = exit == 0 || failed;
    tests.add(DynamicTest.dynamicTest(
        "the run came to its end",
        () -> assertThat(explained).as("node ended with %s:%n%s", exit, output).isTrue()));
    assertThat(tests).as(output).hasSizeGreaterThan(1);
    return tests;
  }

  private static int run(Path lines, Path said) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(
            "node",
            "--test-reporter=./e2e/lines.mjs",
            "--test-reporter-destination=" + lines,
            "e2e/all.test.mjs")
        .directory(Root.FOLDER.resolve("ui").toFile())
        .redirectErrorStream(true)
        .redirectOutput(said.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process node = builder.start();
    try {
      boolean ended = node.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
      assertThat(ended)
          .as("The browser tests took longer than %s minutes.", MINUTES_MAX)
          .isTrue();
      return node.exitValue();
    } finally {
      node.descendants().forEach(ProcessHandle::destroyForcibly);
      node.destroyForcibly();
    }
  }
}
