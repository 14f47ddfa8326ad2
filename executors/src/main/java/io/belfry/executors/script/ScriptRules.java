package io.belfry.executors.script;

import io.belfry.model.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How this worker may run scripts.
 *
 * @param interpreters absolute paths by the names that jobs use; no other interpreter is started
 * @param folders that may contain the files and working directories of jobs
 * @param temp where each attempt gets a folder of its own
 * @param pass variables of the worker's environment that are passed to scripts
 * @param grace time between SIGTERM and SIGKILL
 * @param tools folders that are searched for {@code setsid}, {@code setpriv}, {@code mkfifo} and {@code sh}
 * @param user the user that scripts run as; if empty, the user of this process, whose files scripts can then read
 */
public record ScriptRules(
    Map<String, Path> interpreters,
    List<Path> folders,
    Path temp,
    Set<String> pass,
    Duration grace,
    List<Path> tools,
    Optional<ScriptUser> user) {
  static final Pattern ENVIRONMENT_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  private static final int NAME_CHARS_MAX = 64;
  private static final Duration GRACE_MAX = Duration.ofMinutes(1);
  private static final Duration GRACE = Duration.ofSeconds(2);

  public ScriptRules {
    interpreters = Map.copyOf(new TreeMap<>(interpreters));
    folders = List.copyOf(folders);
    pass = Set.copyOf(pass);
    tools = List.copyOf(tools);
    interpreters.forEach((name, path) -> {
      Check.name("script.interpreters", name, NAME_CHARS_MAX);
      Check.that(
          path.isAbsolute() && Files.isExecutable(path) && !Files.isDirectory(path),
          "script.interpreters." + name,
          path.toString(),
          "must be the absolute path of a program, because PATH is not searched",
          "Write it like /usr/bin/python3.");
    });
    folders.forEach(folder -> checkFolder("script.folders", folder));
    checkFolder("script.temp", temp);
    pass.forEach(name -> Check.that(
        ENVIRONMENT_NAME.matcher(name).matches() && !name.startsWith("BELFRY_"),
        "script.pass",
        name,
        "must name environment variables other than those of Belfry, because those can contain passwords and keys",
        "Write them like HTTP_PROXY."));
    Check.between(
        "script.grace", grace, Duration.ZERO, GRACE_MAX, "a stopped attempt must end soon");
  }

  private static void checkFolder(String field, Path folder) {
    Check.that(
        folder.isAbsolute() && Files.isDirectory(folder),
        field,
        folder.toString(),
        "must be the absolute path of an existing folder, because scripts are stored and run there",
        "Create the folder, or correct the path.");
  }

  /** Rules with these interpreters. Files and working directories of jobs are refused. */
  public static ScriptRules of(Map<String, Path> interpreters, Path temp) {
    return new ScriptRules(
        interpreters,
        List.of(),
        temp,
        Set.of(),
        GRACE,
        List.of(Path.of("/usr/bin"), Path.of("/bin")),
        Optional.empty());
  }

  public ScriptRules withFolder(Path folder) {
    var more = new ArrayList<>(folders);
    more.add(folder);
    return new ScriptRules(interpreters, more, temp, pass, grace, tools, user);
  }

  public ScriptRules withPass(Set<String> names) {
    return new ScriptRules(interpreters, folders, temp, names, grace, tools, user);
  }

  public ScriptRules withGrace(Duration time) {
    return new ScriptRules(interpreters, folders, temp, pass, time, tools, user);
  }

  public ScriptRules withTools(List<Path> where) {
    return new ScriptRules(interpreters, folders, temp, pass, grace, where, user);
  }

  /**
   * Runs scripts as another user, who can read neither the files nor the environment of this process. Verifies at once that this works.
   *
   * @param secret folders that this user must not be able to read
   * @throws io.belfry.model.InvalidException if there is no such user, or this process may not run programs as that user
   */
  public ScriptRules withUser(String name, List<Path> secret) {
    ScriptUser other = ScriptUser.named(name, this);
    var rules =
        new ScriptRules(interpreters, folders, temp, pass, grace, tools, Optional.of(other));
    other.rehearse(rules, secret);
    return rules;
  }

  /** The path of a system program that scripts need. */
  Path tool(String name) {
    return tools.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> Check.refusal(
            "script.tools",
            tools,
            "must contain " + name
                + " (from util-linux, coreutils or similar), because Belfry needs it to start and stop scripts",
            "Install it, or disable scripts on this worker."));
  }
}
