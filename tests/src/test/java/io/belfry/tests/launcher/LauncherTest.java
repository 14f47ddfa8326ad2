package io.belfry.tests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the fields
class LauncherTest {
  @TempDir
  Path folder;

  private Checkout checkout;

  @BeforeEach
  void prepare() throws IOException {
    checkout = Checkout.in(folder);
  }

  private void oldJavaOnThePath() throws IOException {
    checkout.tool("java", "echo 'openjdk version \"17.0.1\"' >&2\n");
  }

  @Nested
  class Finding_a_jdk {
    @Test
    void java_home_comes_first() {
      assertThat(checkout.run("--version").out()).contains("belfry ").contains("Java ");
    }

    @Test
    void an_old_default_does_not_hide_a_newer_one_in_a_usual_folder() throws IOException {
      oldJavaOnThePath();
      Path candidates = Files.createDirectories(folder.resolve(".sdkman/candidates/java"));
      Files.createSymbolicLink(
          candidates.resolve("some"), Path.of(System.getProperty("java.home")));
      Checkout.Ran ran = checkout.without("JAVA_HOME").run("--version");
      assertThat(ran.exit()).isZero();
      assertThat(ran.out()).contains("Java ");
    }

    @Test
    void a_java_home_that_is_too_old_is_passed_over() throws IOException {
      checkout.write("old/release", "JAVA_VERSION=\"17.0.1\"\n");
      Files.createDirectories(folder.resolve("old/bin"));
      Path candidates = Files.createDirectories(folder.resolve(".sdkman/candidates/java"));
      Files.createSymbolicLink(
          candidates.resolve("some"), Path.of(System.getProperty("java.home")));
      assertThat(checkout
              .with("JAVA_HOME", folder.resolve("old").toString())
              .run("--version")
              .exit())
          .isZero();
    }

    @Test
    void without_one_it_says_what_to_install() throws IOException {
      Path launcher = folder.resolve("belfry");
      Files.writeString(
          launcher, Files.readString(launcher).replace("java_min=21", "java_min=999"));
      Checkout.Ran ran = checkout.run("--version");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err()).contains("JDK 999 or newer is required").contains("apt-get install");
    }
  }

  /** Whoever wrote the folder could otherwise name a file so that it replaces a flag: {@code *} in one is for java. */
  @Test
  void no_file_of_the_current_folder_becomes_a_flag_of_java() throws IOException {
    checkout.write("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
    for (String program : List.of("java", "javac")) {
      checkout.write("jdk/bin/" + program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
      assertThat(folder.resolve("jdk/bin/" + program).toFile().setExecutable(true))
          .isTrue();
    }
    checkout.tool("mvn", "mkdir -p dist/target && touch dist/target/belfry.jar\n");
    checkout.write("-Djdk.serialFilter=!x", "");
    checkout.write("-Dmine=x", "");
    Checkout.Ran ran = checkout
        .with("JAVA_HOME", folder.resolve("jdk").toString())
        .with("BELFRY_JAVA_OPTS", "-Dmine=* -Xmx1g")
        .run("job", "list");
    assertThat(ran.out().lines())
        .contains("-Djdk.serialFilter=!*", "-Dmine=*", "-Xmx1g", "job", "list")
        .doesNotContain("-Djdk.serialFilter=!x", "-Dmine=x");
  }

  @Nested
  class Building {
    @Test
    void happens_on_first_use_with_visible_progress_and_then_not_again() throws IOException {
      Checkout.Ran first = checkout.run("--version");
      assertThat(first.err()).contains("building").contains("[1/2] Belfry model");
      assertThat(checkout.run("--version").err()).isEmpty();
      assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void happens_again_when_a_source_changed_appeared_or_went() throws IOException {
      checkout.run("--version");
      checkout.write("model/src/main/java/A.java", "class A { int i; }");
      checkout.run("--version");
      checkout.write("model/src/main/java/B.java", "class B {}");
      checkout.run("--version");
      Files.delete(folder.resolve("model/src/main/java/B.java"));
      checkout.run("--version");
      checkout.write("model/src/test/java/T.java", "class T {}");
      checkout.run("--version");
      assertThat(checkout.builds()).isEqualTo(4);
    }

    @Test
    void happens_once_when_two_launches_come_together() throws IOException {
      checkout.tool("mvn", Files.readString(folder.resolve("tools/mvn")) + "sleep 1\n");
      Process one = checkout.start("--version");
      Process two = checkout.start("--version");
      assertThat(Checkout.finish(one).exit()).isZero();
      assertThat(Checkout.finish(two).exit()).isZero();
      assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void of_the_web_interface_needs_node_and_says_so() throws IOException {
      checkout.write("ui/pom.xml", "<project/>");
      checkout.tool("node", "echo v18.19.0\n");
      checkout.tool("npm", "");
      Checkout.Ran old = checkout.run("--version");
      assertThat(old.exit()).isEqualTo(1);
      assertThat(old.err())
          .contains("Node 20 or newer is required")
          .contains("is 'v18.19.0'")
          .contains("apt-get install nodejs npm");
      checkout.tool("node", "echo v20.1.0\n");
      assertThat(checkout.run("--version").exit()).isZero();
      checkout.write("ui/src/main.tsx", "");
      checkout.run("--version");
      checkout.write("ui/test/some.test.ts", "");
      checkout.run("--version");
      assertThat(checkout.builds()).isEqualTo(2);
    }

    @Test
    void that_fails_shows_why_and_is_tried_again() throws IOException {
      checkout.tool("mvn", "echo '[ERROR] A.java is wrong'\nexit 1\n");
      Checkout.Ran ran = checkout.run("--version");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err()).contains("A.java is wrong").contains(".belfry/build.log");
      assertThat(checkout.run("--version").err()).contains("A.java is wrong");
    }
  }

  @Nested
  class Commands {
    @Test
    void dist_makes_a_jar_and_an_archive_that_runs_elsewhere()
        throws IOException, InterruptedException {
      checkout.write("LICENSE", "licence");
      checkout.write("README.md", "readme");
      checkout.write("CHANGELOG.md", "changes");
      checkout.write("SECURITY.md", "security");
      Checkout.Ran ran = checkout.run("dist");
      assertThat(ran.out().lines())
          .containsExactly(
              "dist/target/belfry.jar",
              "dist/target/belfry-1.tar.gz",
              "dist/target/belfry-1.cdx.json");

      Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
      Process unpack = new ProcessBuilder(
              "tar", "-xzf", folder.resolve("dist/target/belfry-1.tar.gz").toString())
          .directory(elsewhere.toFile())
          .start();
      assertThat(unpack.waitFor()).isZero();
      Process run = new ProcessBuilder(
              elsewhere.resolve("belfry-1/bin/belfry").toString(), "cron", "next", "@daily")
          .start();
      assertThat(Checkout.finish(run).out()).contains("every day at");
      servesFromWhereNothingMayBeWritten(elsewhere.resolve("belfry-1"));
    }

    @Test
    void the_program_knows_what_it_is_made_of_and_that_nothing_known_is_wrong_with_it() {
      Checkout.Ran bill = checkout.run("sbom");
      assertThat(bill.exit()).isZero();
      assertThat(bill.out())
          .contains("\"CycloneDX\"")
          .contains("pkg:maven/org.eclipse.jetty/jetty-server@")
          .contains("pkg:maven/org.rocksdb/rocksdbjni@")
          .contains("pkg:npm/react@")
          .contains("pkg:npm/%40mantine/core@")
          .doesNotContain("junit");
      assertThat(checkout.run("sbom").out()).isEqualTo(bill.out());
      Checkout.Ran advisories = checkout.run("advisories");
      assertThat(advisories.out()).contains(" 0 found.");
      assertThat(advisories.exit()).isZero();
    }

    private void servesFromWhereNothingMayBeWritten(Path unpacked)
        throws IOException, InterruptedException {
      try (Stream<Path> files = Files.walk(unpacked)) {
        for (Path each : files.toList()) {
          Set<PosixFilePermission> mode = EnumSet.copyOf(Files.getPosixFilePermissions(each));
          mode.remove(PosixFilePermission.OWNER_WRITE);
          Files.setPosixFilePermissions(each, mode);
        }
      }
      List<String> before = inside(unpacked);
      Path work = Files.createDirectory(folder.resolve("work"));
      Process server = new ProcessBuilder(
              unpacked.resolve("bin/belfry").toString(), "server", "--port", "0")
          .directory(work.toFile())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      try {
        assertThat(server.inputReader(java.nio.charset.StandardCharsets.UTF_8).readLine())
            .contains("listens on http://127.0.0.1:");
      } finally {
        server.destroy();
        assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
      }
      assertThat(work.resolve("belfry-data/admin.token")).exists();
      assertThat(inside(unpacked)).as("what lies in the distribution").isEqualTo(before);
    }

    private static List<String> inside(Path unpacked) throws IOException {
      try (Stream<Path> files = Files.walk(unpacked)) {
        return files
            .map(each -> each + " " + each.toFile().lastModified())
            .sorted()
            .toList();
      }
    }

    @Test
    void test_refuses_what_it_does_not_know() {
      assertThat(checkout.run("test", "--seed", "x1").exit()).isEqualTo(2);
      assertThat(checkout.run("test", "--onyl", "A").err())
          .contains("unknown option '--onyl'")
          .contains("Usage:");
      assertThat(checkout.run("test", "--help").out()).contains("--only TEST");
    }

    @Test
    void an_unknown_command_is_a_usage_error() {
      Checkout.Ran ran = checkout.run("corn");
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).contains("corn").contains("cron");
    }
  }
}
