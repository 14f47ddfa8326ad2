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
 * What scripts may be run with on this worker.
 *
 * @param interpreters absolute paths by the names that jobs use; nothing else is ever started
 * @param folders in which files and working directories of jobs may lie
 * @param temp where each attempt gets a folder of its own
 * @param pass names of the worker's environment that scripts get, too
 * @param grace between being asked to end and being killed
 * @param tools folders in which {@code setsid}, {@code setpriv}, {@code mkfifo} and {@code sh} are looked for
 * @param user as whom scripts run; empty: as the user of this process, whose files they can read then
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
          "must be the absolute path of a program, because nothing is searched for",
          "Write it like /usr/bin/python3.");
    });
    folders.forEach(folder -> checkFolder("script.folders", folder));
    checkFolder("script.temp", temp);
    pass.forEach(name -> Check.that(
        ENVIRONMENT_NAME.matcher(name).matches() && !name.startsWith("BELFRY_"),
        "script.pass",
        name,
        "must name variables of the environment that are not Belfry's own, because those can hold passwords and keys",
        "Write them like HTTP_PROXY."));
    Check.between("script.grace", grace, Duration.ZERO, GRACE_MAX, "an attempt must end soon");
  }

  private static void checkFolder(String field, Path folder) {
    Check.that(
        folder.isAbsolute() && Files.isDirectory(folder),
        field,
        folder.toString(),
        "must be the absolute path of a folder, because scripts lie and run there",
        "Make the folder, or correct the path.");
  }

  /** With these interpreters; files and working directories of jobs are refused. */
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
   * Lets scripts run as another user, who can read neither files nor environment of this process. Tries that at once.
   *
   * @param secret folders that this user must not be able to look into
   * @throws io.belfry.model.InvalidException if there is no such user, or this process may not run programs as that user
   */
  public ScriptRules withUser(String name, List<Path> secret) {
    ScriptUser other = ScriptUser.named(name, this);
    var rules =
        new ScriptRules(interpreters, folders, temp, pass, grace, tools, Optional.of(other));
    other.rehearse(rules, secret);
    return rules;
  }

  /** A program that scripts cannot be run without. */
  Path tool(String name) {
    return tools.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> Check.refusal(
            "script.tools",
            tools,
            "must hold " + name
                + " (of util-linux, coreutils or the like), because a script with all its children cannot be"
                + " ended without it",
            "Install it, or leave scripts off on this worker."));
  }
}
