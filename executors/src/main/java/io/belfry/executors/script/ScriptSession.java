package io.belfry.executors.script;

import io.belfry.executors.script.AttemptProcesses.Member;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the first process of one attempt, and stops all its processes, even if they resist.
 *
 * <pre>
 *   TERM to the group, and to processes outside ──▶ grace ──▶ KILL to the group, and to each ──▶ scan /proc ──▶ none left
 *                                                                ▲─────────── some left ──────────┘
 * </pre>
 *
 * <p>If /proc cannot be read, processes may be left.
 *
 * <p>Threading: confined to the attempt's thread. An interruption does not shorten it; the interrupt flag is restored afterwards.
 */
final class ScriptSession {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptSession.class);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration LOOK_IN_NEED = Duration.ofSeconds(1);
  private static final Duration KILLING_MAX = Duration.ofSeconds(30);

  private final AttemptProcesses running;
  private final SystemCommand tool;
  private final Duration grace;
  private final Time time;
  private Optional<Process> first = Optional.empty();
  private List<Member> members = List.of();
  private Optional<IOException> unreadable = Optional.empty();
  private boolean inNeed;

  ScriptSession(AttemptProcesses running, SystemCommand tool, Duration grace, Time time) {
    this.running = running;
    this.tool = tool;
    this.grace = grace;
    this.time = time;
  }

  /** Starts the process. Call {@link #end} even if this throws: the process may run although Java could not create a thread for it. */
  Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    first = Optional.of(process);
    running.began(process.toHandle());
    return process;
  }

  /** Stops all processes. Returns when none is left, or when the rest cannot be killed. */
  void end() {
    try {
      if (isAnyLeft()) {
        signal(false);
        endWithin(grace);
      }
    } finally {
      first.ifPresent(Process::destroyForcibly); // also after an unexpected exception
    }
  }

  private void endWithin(Duration patience) {
    long until = time.nanos() + patience.toNanos();
    boolean left = isAnyLeft();
    while (left && until - time.nanos() > 0) {
      pause();
      left = isAnyLeft();
    }
    until = time.nanos() + KILLING_MAX.toNanos();
    while (left && until - time.nanos() > 0) {
      signal(true);
      pause();
      left = isAnyLeft();
    }
    if (left && unreadable.isPresent()) {
      LOG.error(
          "Processes of a script may still run, because /proc cannot be read. Check the limit of open files of"
              + " this server (ulimit -n).",
          unreadable.get());
    } else if (left) {
      LOG.error(
          "Processes {} of a script cannot be killed, because they wait in the kernel. Check the disk or the network"
              + " that they wait for.",
          members);
    }
  }

  private boolean isAnyLeft() {
    try {
      members = running.members();
      unreadable = Optional.empty();
    } catch (IOException e) {
      unreadable = Optional.of(e);
    }
    return unreadable.isPresent()
        || !members.isEmpty()
        || first.filter(Process::isAlive).isPresent();
  }

  /**
   * Signals the process group first: only this reaches processes that fork faster than /proc is scanned. It needs a program, which is not
   * started while file descriptors are missing to read {@code /proc}.
   */
  private void signal(boolean kill) {
    boolean reached = unreadable.isEmpty()
        && members.stream().anyMatch(Member::inGroup)
        && signalGroup(kill ? "KILL" : "TERM");
    for (Member member : members) {
      if (kill) {
        member.process().destroyForcibly();
      } else if (!reached || !member.inGroup()) {
        member.process().destroy();
      }
    }
    if (members.isEmpty() || kill) {
      first.ifPresent(kill ? Process::destroyForcibly : Process::destroy);
    }
  }

  private boolean signalGroup(String signal) {
    try {
      tool.signal(signal, first.orElseThrow().pid());
      return true;
    } catch (IOException e) {
      if (!inNeed) {
        LOG.warn(
            "The process group of a script could not be signaled. Its processes are signaled one by one.",
            e);
        inNeed = true;
      }
      return false;
    }
  }

  private void pause() {
    var unused = UninterruptibleWait.await(
        time,
        inNeed ? LOOK_IN_NEED : LOOK,
        nanos -> new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS));
  }
}
