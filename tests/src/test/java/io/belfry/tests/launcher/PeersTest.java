package io.belfry.tests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/peers/run} builds its peers with a JDK that is new enough, whatever the default java is. */
@SuppressWarnings("NullAway.Init") // JUnit sets the fields
class PeersTest {
  @TempDir
  Path folder;

  @Test
  void peers_are_built_with_a_jdk_that_the_launcher_finds_where_the_default_is_too_old()
      throws IOException {
    Checkout checkout = Checkout.in(folder);
    Path script = folder.resolve("bench/peers/run");
    Files.createDirectories(folder.resolve("bench/peers/dbscheduler"));
    Files.copy(Root.FOLDER.resolve("bench/peers/run"), script, StandardCopyOption.COPY_ATTRIBUTES);
    checkout.write("bench/run", "#!/bin/sh\n");
    assertThat(folder.resolve("bench/run").toFile().setExecutable(true)).isTrue();
    checkout.tool("java", "echo 'openjdk version \"17.0.1\"' >&2\n");
    checkout.tool("initdb", "");
    checkout.tool("mvn", "echo \"built with $JAVA_HOME\"\nexit 1\n"); // which ends the script
    Path candidates = Files.createDirectories(folder.resolve(".sdkman/candidates/java"));
    Files.createSymbolicLink(candidates.resolve("some"), Path.of(System.getProperty("java.home")));
    Checkout.Ran ran = Checkout.finish(
        checkout.without("JAVA_HOME").type("python3 bench/peers/run --only postgres"));
    assertThat(ran.out()).as(ran.err()).contains("built with /");
    Path chosen = Path.of(ran.out().strip().replace("built with ", ""));
    assertThat(chosen.resolve("bin/javac")).exists();
    assertThat(Files.readString(chosen.resolve("release")))
        .doesNotContainPattern("JAVA_VERSION=\"1[0-9]\\.");
  }
}
