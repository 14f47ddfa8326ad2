package io.belfry.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A demo does not touch foreign directories. */
class DemoFolderTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path parent;

  @Test
  void one_that_nobody_named_is_gone_afterwards() throws IOException {
    Path seen;
    try (DemoFolder folder = DemoFolder.open(Optional.empty())) {
      seen = folder.path();
      Files.createDirectories(seen.resolve("store/deep"));
      Files.writeString(seen.resolve("store/deep/file"), "x");
      assertThat(folder.kept()).isFalse();
    }
    assertThat(seen).doesNotExist();
  }

  @Test
  void one_that_somebody_named_stays_and_can_be_used_again() {
    Path own = parent.resolve("mine");
    DemoFolder.open(Optional.of(own)).close();
    assertThat(own).isDirectory();
    DemoFolder again = DemoFolder.open(Optional.of(own));
    again.close();
    assertThat(again.path()).isEqualTo(own.toAbsolutePath());
  }

  @Test
  void one_with_data_of_a_real_server_is_refused_and_left_alone() throws IOException {
    Path real = Files.createDirectory(parent.resolve("belfry-data"));
    Files.writeString(real.resolve("admin.token"), "bft_x");
    assertThatThrownBy(() -> DemoFolder.open(Optional.of(real)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("earlier demo");
    assertThat(real.toFile().list()).containsExactly("admin.token");
  }
}
