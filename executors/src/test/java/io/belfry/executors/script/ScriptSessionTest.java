package io.belfry.executors.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes are ended also where Java or the machine says too little about them. */
@Timeout(120)
class ScriptSessionTest {
  @TempDir
  private Path folder;

  private AttemptFolder place;
  private SystemCommand tool;
  private Path begun;

  @BeforeEach
  void make() throws IOException {
    ScriptRules rules = Scripts.rules(folder);
    place = AttemptFolder.in(rules, Time.system());
    tool = SystemCommand.of(rules, Time.system());
    begun = folder.resolve("begun");
  }

  @AfterEach
  void delete() throws IOException {
    place.close();
    if (Files.exists(begun)) {
      ProcessHandle.of(begun()).ifPresent(ProcessHandle::destroyForcibly); // after a failure
    }
  }

  private ScriptSession session(Path proc) throws IOException {
    return new ScriptSession(
        AttemptProcesses.beginning(proc, place, link -> false),
        tool,
        Duration.ofMillis(200),
        Time.system());
  }

  private static boolean runs(long pid) throws IOException {
    return ProcessStat.of(AttemptProcesses.PROC, pid)
        .filter(stat -> !stat.dead())
        .isPresent();
  }

  private long begun() throws IOException {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(begun));
    return Long.parseLong(Files.readString(begun).strip());
  }

  /** A shell in a session of its own. */
  private ProcessBuilder shell(String script) {
    return new ProcessBuilder(
        List.of(tool.setsid().toString(), tool.shell().toString(), "-c", script));
  }

  /** What a shell does that ignores TERM and tells its number. */
  private String stubborn() {
    return "trap \"\" TERM; sh -c \"echo \\$PPID\" > " + begun + ".part; mv " + begun + ".part "
        + begun + "; while :; do sleep 1; done";
  }

  @Test
  void while_nobody_can_say_what_runs_something_may_run() throws Exception {
    Path proc = folder.resolve("proc");
    ScriptSession session = session(proc); // which is not there yet, as if no file could be opened
    Process process = session.start(shell("(" + stubborn() + ") &"));
    long child = begun();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Thread ending = Thread.ofPlatform().start(session::end);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !ending.isAlive() || ending.getState() == Thread.State.TIMED_WAITING);
    Files.createSymbolicLink(proc, AttemptProcesses.PROC);
    assertThat(ending.join(Duration.ofSeconds(30))).isTrue();
    Files.delete(proc);
    assertThat(runs(child)).isFalse();
  }

  @Test
  void the_first_process_ends_also_while_nobody_can_say_what_runs() throws Exception {
    Path proc = folder.resolve("proc");
    ScriptSession session = session(proc);
    Process process = session.start(shell("exec sleep 1000"));
    Thread ending = Thread.ofPlatform().start(session::end);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Files.createSymbolicLink(proc, AttemptProcesses.PROC);
    assertThat(ending.join(Duration.ofSeconds(30))).isTrue();
    Files.delete(proc);
  }

  @Test
  void a_start_that_fails_half_way_leaves_no_process() throws Exception {
    ScriptSession session = session(AttemptProcesses.PROC);
    var builder = new ProcessBuilder("sleep", "1000");
    builder.environment().put(Environment.MARK, place.mark());
    Process process = builder.start(); // and Java could not say that it had
    session.end();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void children_are_known_by_their_parents_whatever_they_do() throws Exception {
    ScriptSession session = session(AttemptProcesses.PROC);
    Process process = session.start(shell("setsid sh -c '" + stubborn() + "' & wait"));
    long child = begun();
    assertThat(process.isAlive()).isTrue();
    session.end();
    assertThat(runs(child)).isFalse();
  }
}
