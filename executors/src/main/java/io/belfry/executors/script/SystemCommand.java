package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs short system programs. Any script can stop the programs that run as its user, so none is trusted to end: each has a session of its
 * own, which is killed at a time limit; an empty environment, because that user may read it; and no pipe to the server, because the holder
 * of the other end could block its reader.
 *
 * <p>Threading: immutable.
 */
record SystemCommand(Path setsid, Path shell, Time time) {
  static final String PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

  private static final Logger LOG = LoggerFactory.getLogger(SystemCommand.class);
  private static final int OUTPUT_MAX = 8 * 1024;
  private static final Duration SIGNALING = Duration.ofSeconds(5);
  private static final Duration DYING = Duration.ofSeconds(5);

  static SystemCommand of(ScriptRules rules, Time time) {
    return new SystemCommand(rules.tool("setsid"), rules.tool("sh"), time);
  }

  /**
   * The outcome of a program.
   *
   * @param text its output, including stderr
   */
  record Ended(int exit, String text) {}

  /** Starts it in a session of its own, whose id is that of the process. */
  Process start(List<String> command) throws IOException {
    return inSession(command).redirectOutput(Redirect.DISCARD).start();
  }

  private ProcessBuilder inSession(List<String> command) {
    var all = new ArrayList<String>();
    all.add(setsid.toString());
    all.addAll(command);
    return builder(all);
  }

  private static ProcessBuilder builder(List<String> command) {
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("PATH", PATH);
    builder.environment().put("LC_ALL", "C");
    return builder
        .redirectErrorStream(true)
        .redirectInput(Path.of("/dev/null").toFile())
        .directory(AttemptProcesses.PROC.getRoot().toFile());
  }

  /**
   * Runs the program to its end.
   *
   * @return its exit code
   * @throws IOException if it cannot be started, or takes too long and is killed
   */
  int run(List<String> command, Duration limit) throws IOException, InterruptedException {
    return await(start(command), limit);
  }

  /** Like {@link #run}, but an interruption does not stop it. */
  int runUninterrupted(List<String> command, Duration limit) throws IOException {
    Process process = start(command);
    boolean ended = UninterruptibleWait.await(
        time, limit, nanos -> process.waitFor(nanos, TimeUnit.NANOSECONDS));
    return ended(process, ended, limit);
  }

  /**
   * Like {@link #run}, and returns its output.
   *
   * @param folder for a temporary file with the output
   */
  Ended ask(List<String> command, Duration limit, Path folder)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "belfry-", ".text");
    try {
      int exit = await(inSession(command).redirectOutput(output.toFile()).start(), limit);
      try (InputStream text = Files.newInputStream(output)) {
        return new Ended(exit, new String(text.readNBytes(OUTPUT_MAX), UTF_8).strip());
      }
    } finally {
      Files.delete(output);
    }
  }

  private int await(Process process, Duration limit) throws IOException, InterruptedException {
    boolean ended;
    try {
      ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      kill(process);
      throw e;
    }
    return ended(process, ended, limit);
  }

  /** Kills the session of a program that failed: a script may have killed it and stopped its children. */
  private int ended(Process process, boolean ended, Duration limit) throws IOException {
    if (!ended || process.exitValue() != 0) {
      kill(process);
    }
    if (!ended) {
      throw new IOException("it took longer than " + limit + " and was killed");
    }
    return process.exitValue();
  }

  private void kill(Process process) {
    try {
      signal("KILL", process.pid());
    } catch (IOException e) {
      LOG.warn(
          "The process group of a system program could not be signaled. Only its first process is killed.",
          e);
    }
    process.destroyForcibly();
    if (!UninterruptibleWait.await(
        time, DYING, nanos -> process.waitFor(nanos, TimeUnit.NANOSECONDS))) {
      LOG.error(
          "Process {} cannot be killed, because it waits in the kernel. Check the disk or the network that it waits for.",
          process.pid());
    }
  }

  /**
   * Sends a signal to all processes of a group, which Java cannot do. An interruption does not prevent it.
   *
   * @throws IOException if the program that sends it cannot be started
   */
  void signal(String signal, long group) throws IOException {
    Process kill = builder(List.of(
            shell.toString(),
            "-c",
            "kill -s \"$1\" -- \"-$2\"",
            "belfry",
            signal,
            String.valueOf(group)))
        .redirectOutput(Redirect.DISCARD)
        .start();
    if (!UninterruptibleWait.await(
        time, SIGNALING, nanos -> kill.waitFor(nanos, TimeUnit.NANOSECONDS))) {
      kill.destroyForcibly();
    }
  }
}
