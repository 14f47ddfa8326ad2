package io.belfry.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory belongs to one store at a time, and what is wrong with it is said. */
class DirectoryTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  /** Opens a store, says so, and keeps it; or says why not. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (Store store = EmbeddedStore.open(EmbeddedSettings.of(Path.of(arguments[0])))) {
        System.out.println("holding " + store);
        int unused = System.in.read();
      } catch (StoreException e) {
        System.out.println("refused " + e.getClass().getSimpleName() + " " + e.getMessage());
      }
    }
  }

  private Path store() {
    return temp.resolve("store");
  }

  @Test
  void it_is_made_for_its_owner_only() throws IOException {
    try (Store store = EmbeddedStore.open(EmbeddedSettings.of(store()))) {
      assertThat(store).isNotNull();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void a_second_store_in_the_same_process_is_refused_and_does_not_harm_the_first()
      throws IOException {
    try (Store store = EmbeddedStore.open(EmbeddedSettings.of(store()))) {
      assertThat(store).isNotNull();
      assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedSettings.of(store())))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("is open in this process itself");
      try (ChildJvm child = child()) {
        assertThat(child.awaitLine("refused"))
            .contains("Denied")
            .contains("another process (pid " + ProcessHandle.current().pid() + ")");
      }
    }
    EmbeddedStore.open(EmbeddedSettings.of(store())).close();
  }

  @Test
  void another_process_is_refused_until_the_first_is_gone_even_if_it_was_killed()
      throws IOException, InterruptedException {
    try (ChildJvm child = child()) {
      child.awaitLine("holding");
      assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedSettings.of(store())))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("is open in another process (pid " + child.pid() + ")")
          .hasMessageContaining("give this one its own directory");
      child.kill();
    }
    EmbeddedStore.open(EmbeddedSettings.of(store())).close();
  }

  private ChildJvm child() throws IOException {
    return ChildJvm.start(
        temp, List.of(ChildJvm.sharedLibrary(temp)), Holder.class, store().toString());
  }

  @Test
  void a_path_whose_parent_does_not_exist_is_refused() {
    assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedSettings.of(temp.resolve("no/such"))))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("its parent directory does not exist");
  }

  @Test
  void a_path_that_is_a_file_is_refused() throws IOException {
    Files.writeString(store(), "a file");
    assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedSettings.of(store())))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("it is a file, not a directory");
  }

  @Test
  void a_path_that_cannot_be_written_to_is_refused() {
    assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedSettings.of(Path.of("/proc/belfry"))))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("cannot be used for a store");
  }

  @Test
  void a_native_library_that_cannot_be_unpacked_is_explained() throws IOException {
    try (ChildJvm child = ChildJvm.start(
        temp,
        List.of("-Djava.io.tmpdir=/no/such/directory"),
        Holder.class,
        store().toString())) {
      assertThat(child.awaitLine("refused"))
          .contains("Denied")
          .contains("/no/such/directory")
          .contains("ROCKSDB_SHAREDLIB_DIR");
    }
  }
}
