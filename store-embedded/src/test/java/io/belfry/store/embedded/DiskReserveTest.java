package io.belfry.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The room that is held for deletes. */
class DiskReserveTest {
  private static final long ROOM = 8 << 20;
  private static final long SIZE = ROOM / 8;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path directory;

  private DiskReserve reserve() {
    return new DiskReserve(directory, ROOM, LogLimiter.everyMinute(Time.system()));
  }

  private Path file() {
    return directory.resolve(DiskReserve.FILE);
  }

  @Test
  void a_file_that_was_not_finished_counts_for_what_it_holds_and_is_written_anew()
      throws IOException {
    Files.write(file(), new byte[1000]);
    DiskReserve reserve = reserve();
    assertThat(reserve.heldBytes()).isEqualTo(1000);
    reserve.look(ROOM);
    assertThat(reserve.heldBytes()).isEqualTo(SIZE);
    assertThat(Files.size(file())).isEqualTo(SIZE);
  }

  @Test
  void a_file_that_was_not_finished_is_given_up_as_well() throws IOException {
    Files.write(file(), new byte[1000]);
    DiskReserve reserve = reserve();
    reserve.look(SIZE - 1);
    assertThat(reserve.heldBytes()).isZero();
    assertThat(Files.exists(file())).isFalse();
  }
}
