package io.belfry.executors.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessStatTest {
  @TempDir
  private Path proc;

  private void write(long pid, String stat) throws IOException {
    Files.writeString(
        Files.createDirectory(proc.resolve(String.valueOf(pid))).resolve("stat"), stat);
  }

  @Test
  void a_name_may_hold_anything() throws IOException {
    write(7, "7 (a) S 1 (b) Z) S 3 4 5 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 8 9\n");
    assertThat(ProcessStat.of(proc, 7)).contains(new ProcessStat(false, 3, 4, 5, 4711));
  }

  @Test
  void what_has_ended_is_known() throws IOException {
    write(8, "8 (sleep) Z 3 4 5 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 8 9\n");
    assertThat(ProcessStat.of(proc, 8).orElseThrow().dead()).isTrue();
    assertThat(ProcessStat.of(proc, 9)).isEmpty();
  }

  @Test
  void a_process_that_cannot_be_read_is_not_taken_for_one_that_has_ended() throws IOException {
    Files.createDirectories(proc.resolve("10/stat"));
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> ProcessStat.of(proc, 10));
  }

  @Test
  void a_process_begins_after_what_was_read_before_it() throws Exception {
    long before = ProcessStat.now(AttemptProcesses.PROC);
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      long began =
          ProcessStat.of(AttemptProcesses.PROC, process.pid()).orElseThrow().began();
      assertThat(began).isBetween(before, ProcessStat.now(AttemptProcesses.PROC));
    } finally {
      process.destroyForcibly();
    }
  }
}
