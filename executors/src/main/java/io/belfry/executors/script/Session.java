package io.belfry.executors.script;

import io.belfry.executors.script.Running.Member;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the processes of one attempt, whatever they do about it.
 *
 * <pre>
 *   TERM to the group, and to those outside ──▶ grace ──▶ KILL to the group, and to each ──▶ look again ──▶ nobody left
 *                                                            ▲──────────── somebody ────────────┘
 * </pre>
 *
 * <p>Threading: confined to the attempt's thread. Interruption does not shorten it, and is told afterwards.
 */
final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private static final long LOOK_MILLIS = 20;
  private static final Duration KILLING_MAX = Duration.ofSeconds(30);

  private final Running running;
  private final Path shell;
  private final Duration grace;
  private final Time time;
  private boolean interrupted;

  Session(Running running, Path shell, Duration grace, Time time) {
    this.running = running;
    this.shell = shell;
    this.grace = grace;
    this.time = time;
  }

  /**
   * Returns when nothing runs any more.
   *
   * @return whether somebody wanted the attempt to stop meanwhile
   */
  boolean end() {
    List<Member> members = running.members();
    if (!members.isEmpty()) {
      signalGroup("TERM", members);
      members.stream()
          .filter(member -> !member.inGroup())
          .forEach(member -> member.process().destroy());
      members = awaitEnd(grace);
    }
    long until = time.nanos() + KILLING_MAX.toNanos();
    while (!members.isEmpty() && until - time.nanos() > 0) {
      signalGroup("KILL", members);
      members.forEach(member -> member.process().destroyForcibly());
      pause();
      members = running.members();
    }
    if (!members.isEmpty()) {
      LOG.error(
          "Processes {} of a script cannot be killed; they wait in the kernel. Look after the disk or the network"
              + " that they wait for.",
          members);
    }
    return interrupted;
  }

  private List<Member> awaitEnd(Duration patience) {
    long until = time.nanos() + patience.toNanos();
    List<Member> members = running.members();
    while (!members.isEmpty() && until - time.nanos() > 0) {
      pause();
      members = running.members();
    }
    return members;
  }

  /** Java can signal processes, not groups; a group that forks faster than it is looked at is reached by this only. */
  private void signalGroup(String signal, List<Member> members) {
    if (members.stream().noneMatch(Member::inGroup)) {
      return;
    }
    try {
      Process kill = new ProcessBuilder(
              shell.toString(),
              "-c",
              "kill -s \"$1\" -- \"-$2\"",
              "belfry",
              signal,
              String.valueOf(running.session()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      await(kill);
    } catch (IOException e) {
      LOG.warn(
          "The group of a script could not be signalled; its processes are signalled one by one.",
          e);
      members.forEach(member -> member.process().destroy());
    }
  }

  private void await(Process kill) {
    boolean waits = true;
    while (waits) {
      try {
        if (!kill.waitFor(KILLING_MAX.toSeconds(), TimeUnit.SECONDS)) {
          kill.destroyForcibly();
        }
        waits = false;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private void pause() {
    try {
      var unused = new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
  }
}
