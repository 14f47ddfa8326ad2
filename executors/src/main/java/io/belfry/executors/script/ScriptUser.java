package io.belfry.executors.script;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operating system user that scripts run as. Its programs are started by {@code setpriv} without capabilities, and cannot gain any from
 * set-user-id programs. The files of a script are deleted as that user too, because the server must not follow paths that a script can
 * change with its own rights.
 *
 * <p>Threading: immutable.
 *
 * @param name as configured
 */
record ScriptUser(String name, int uid, int gid, Path setpriv, SystemCommand tool) {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptUser.class);
  private static final String FIELD = "script.user";
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 20;
  private static final int NAME_CHARS_MAX = 64;
  private static final int NOT_TRUE = 1; // exit code of test(1)

  /** Looks up the user, which must be neither root nor the user of this process. */
  static ScriptUser named(String name, ScriptRules rules) {
    Check.that(
        !name.isBlank() && name.length() <= NAME_CHARS_MAX && !name.startsWith("-"),
        FIELD,
        name,
        "must name a user of this machine",
        "Write it like nobody or belfry-scripts.");
    Path id = rules.tool("id");
    SystemCommand tool = SystemCommand.of(rules, Time.system());
    var user = new ScriptUser(
        name,
        number(id, "-u", name, tool, rules),
        number(id, "-g", name, tool, rules),
        rules.tool("setpriv"),
        tool);
    Check.that(
        user.uid != 0 && user.uid != own(),
        FIELD,
        name,
        "must be neither root nor the user of this server, because scripts could then read the server's files",
        "Create a user for scripts: useradd --system belfry-scripts.");
    return user;
  }

  private static int number(
      Path id, String option, String name, SystemCommand tool, ScriptRules rules) {
    SystemCommand.Ended ended =
        asked(tool, List.of(id.toString(), option, "--", name), rules.temp());
    if (ended.exit() != 0 || !ended.text().matches("\\d{1,9}")) {
      throw Check.refusal(
          FIELD,
          name,
          "must name a user of this machine (" + Check.clip(ended.text(), 100) + ")",
          "Create the user, or correct the name.");
    }
    return Integer.parseInt(ended.text());
  }

  /** The user of this process. */
  static int own() {
    return owner(AttemptProcesses.PROC.resolve("self/"));
  }

  static int owner(Path file, LinkOption... options) {
    try {
      return (int) Files.getAttribute(file, "unix:uid", options);
    } catch (IOException e) {
      throw Check.refusal(
          "script", file.toString(), "must have an owner that can be read", "Check " + file + ".");
    }
  }

  private static SystemCommand.Ended asked(SystemCommand tool, List<String> command, Path folder) {
    try {
      return tool.ask(command, LIMIT, folder);
    } catch (IOException e) {
      return new SystemCommand.Ended(-1, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SystemCommand.Ended(-1, "interrupted");
    }
  }

  /** The command prefix that runs a program as this user. */
  private List<String> prefix() {
    return List.of(
        setpriv.toString(),
        "--reuid=" + uid,
        "--regid=" + gid,
        "--init-groups",
        "--no-new-privs",
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--");
  }

  /**
   * The command that runs as this user. Its variables are set only after the server's rights are dropped: before that, they would decide
   * which libraries are loaded and which files are written with those rights.
   *
   * @param variables a file that the shell reads and deletes before the command runs
   */
  List<String> command(List<String> command, Path variables) {
    var all = new ArrayList<>(shell(
        "exec 3< \"$1\" && rm -f -- \"$1\" && . /dev/fd/3 && exec 3<&- && shift && exec \"$@\"",
        variables.toString()));
    all.addAll(command);
    return all;
  }

  private List<String> shell(String script, String... arguments) {
    var command = new ArrayList<>(prefix());
    command.addAll(List.of(tool.shell().toString(), "-c", script, "belfry"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Makes this user the owner of a folder and the files in it. */
  void give(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        chown(file);
      }
    }
    chown(folder);
  }

  private void chown(Path file) throws IOException {
    Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Deletes the contents of the folder, but not the folder itself, which only the server can delete. Any script of this user can stop the
   * programs that it runs.
   *
   * @throws IOException if the deletion fails, or takes longer than the limit
   */
  void empty(Path folder, Duration limit) throws IOException {
    List<String> command = shell(
        "chmod -R u+rwX -- \"$1\"; find \"$1\" -mindepth 1 -maxdepth 1 -exec rm -rf -- {} +",
        folder.toString());
    int exit = tool.runUninterrupted(command, limit);
    if (exit != 0) {
      throw new IOException("deleting as user " + name + " ended with exit code " + exit);
    }
  }

  /**
   * Verifies everything that scripts of this user need.
   *
   * @param secret folders that this user must not be able to read
   * @throws InvalidException if something does not work
   */
  void rehearse(ScriptRules rules, List<Path> secret) {
    try (AttemptFolder place = AttemptFolder.in(rules, Time.system())) {
      place.write("script", new byte[0]);
      place.give();
      SystemCommand.Ended ended = asked(
          tool,
          shell(
              "cd \"$1\" && test -r script && touch made && id -u && grep CapEff /proc/self/status",
              place.folder().toString()),
          rules.temp());
      if (ended.exit() != 0 || !ended.text().matches(uid + "\\s+CapEff:\\s+0+")) {
        throw cannot(
            "a test program that ran as " + name + " printed: " + Check.clip(ended.text(), 200));
      }
    } catch (IOException e) {
      throw cannot(String.valueOf(e));
    }
    secret.forEach(folder -> checkClosed(folder, rules));
    checkKill();
  }

  private static InvalidException cannot(String why) {
    return Check.refusal(
        FIELD,
        new Check.Plain("not usable (" + why + ")"),
        "must be a user for which this server can start programs, stop them and delete their files",
        "Run the server as root, or with CAP_SETUID, CAP_SETGID, CAP_CHOWN, CAP_KILL and CAP_DAC_OVERRIDE, and install util-linux;"
            + " or remove the setting.");
  }

  private void checkClosed(Path folder, ScriptRules rules) {
    SystemCommand.Ended ended =
        asked(tool, shell("test -r \"$1\" || test -x \"$1\"", folder.toString()), rules.temp());
    if (ended.exit() != 0 && ended.exit() != NOT_TRUE) {
      throw cannot("testing the access of " + name + " to " + folder + " ended with exit code "
          + ended.exit() + ": " + Check.clip(ended.text(), 200));
    }
    Check.that(
        ended.exit() != 0,
        FIELD,
        name,
        "must not be able to read " + folder + ", because it contains keys and tokens",
        "Run chmod 700 " + folder + ".");
  }

  private void checkKill() {
    Process process;
    try {
      process = tool.start(shell("exec sleep 60"));
    } catch (IOException e) {
      throw cannot(String.valueOf(e));
    }
    try {
      awaitChange(process);
      if (AttemptProcesses.environment(process.pid()).isEmpty()) {
        LOG.warn(
            "Script processes that leave their session and outlive their parent will not be found and stopped, because this server lacks CAP_SYS_PTRACE. All other script processes are stopped.");
      }
      process.destroyForcibly();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw cannot("a test process of " + name + " could not be killed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cannot("the test was interrupted");
    } finally {
      process.destroyForcibly();
    }
  }

  private void awaitChange(Process process) throws InterruptedException {
    for (long left = LIMIT.toMillis(); left > 0; left -= LOOK_MILLIS) {
      if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        throw cannot("a test program that ran as " + name + " ended at once with exit code "
            + process.exitValue());
      }
      if (isOf(process.pid())) {
        return;
      }
    }
    throw cannot("a test program did not switch to the user " + name + " within " + LIMIT);
  }

  private boolean isOf(long pid) {
    try {
      return Files.readString(AttemptProcesses.PROC.resolve(pid + "/status"))
          .contains("\nUid:\t" + uid + "\t");
    } catch (IOException e) {
      return false; // it has ended, which the caller notices
    }
  }
}
