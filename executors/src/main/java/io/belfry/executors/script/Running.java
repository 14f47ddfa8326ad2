package io.belfry.executors.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which processes of this machine belong to one attempt: those of its session and group; and of those that began after it, whoever
 * carries its mark in the environment, works in its folder, or holds its output. Read from {@code /proc}; what is dead and only not yet
 * buried does not count.
 *
 * <p>Threading: immutable.
 *
 * @param session also the id of its first process and of its group
 * @param since when its first process began, in the kernel's ticks
 * @param pipes its output, as the kernel names it
 */
record Running(long session, Workplace place, long since, Set<String> pipes) {
  static final Path PROC = Path.of("/proc");

  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int SESSION = 3;
  private static final int BEGAN = 19;

  /** To be asked as soon as the first process runs, while it still has the output that it was given. */
  static Running of(long first, Workplace place) {
    List<String> stat = stat(first);
    Set<String> pipes = new TreeSet<>();
    for (String output : List.of("1", "2")) {
      String link = link(PROC.resolve(first + "/fd/" + output));
      if (link.startsWith("pipe:")) {
        pipes.add(link);
      }
    }
    return new Running(first, place, stat.isEmpty() ? 0 : Long.parseLong(stat.get(BEGAN)), pipes);
  }

  /**
   * One of them.
   *
   * @param inGroup whether a signal to the group reaches it
   */
  record Member(ProcessHandle process, boolean inGroup) {}

  List<Member> members() {
    var members = new ArrayList<Member>();
    try (Stream<Path> all = Files.list(PROC)) {
      all.map(path -> path.getFileName().toString())
          .filter(name -> name.chars().allMatch(c -> c >= '0' && c <= '9'))
          .map(Long::parseLong)
          .flatMap(pid -> member(pid).stream())
          .forEach(members::add);
    } catch (IOException e) {
      throw new IllegalStateException(
          "/proc must be readable, so that a script's processes can be found.", e);
    }
    return members;
  }

  /** The handle is taken first: it remembers when the process began, and never signals another one under the same number. */
  private Optional<Member> member(long pid) {
    return ProcessHandle.of(pid).flatMap(process -> {
      List<String> stat = stat(pid);
      if (stat.isEmpty() || stat.get(STATE).equals("Z") || stat.get(STATE).equals("X")) {
        return Optional.empty();
      }
      boolean inGroup = Long.parseLong(stat.get(GROUP)) == session;
      boolean ours = inGroup
          || Long.parseLong(stat.get(SESSION)) == session
          || (Long.parseLong(stat.get(BEGAN)) >= since
              && (isMarked(pid) || isAtPlace(pid) || holdsOutput(pid)));
      return ours && pid != ProcessHandle.current().pid()
          ? Optional.of(new Member(process, inGroup))
          : Optional.empty();
    });
  }

  /** State, parent, group, session …: what follows the name, which may hold anything but ends with the last bracket. */
  private static List<String> stat(long pid) {
    String text = read(PROC.resolve(pid + "/stat"));
    int end = text.lastIndexOf(')');
    List<String> fields =
        end < 0 ? List.of() : List.of(text.substring(end + 1).strip().split(" "));
    return fields.size() > BEGAN ? fields : List.of();
  }

  private boolean isMarked(long pid) {
    String variables = '\0' + read(PROC.resolve(pid + "/environ"));
    return variables.contains('\0' + Environment.MARK + "=" + place.mark() + '\0');
  }

  private boolean isAtPlace(long pid) {
    String folder = link(PROC.resolve(pid + "/cwd"));
    return !folder.isEmpty() && Path.of(folder).startsWith(place.folder());
  }

  private boolean holdsOutput(long pid) {
    if (pipes.isEmpty()) {
      return false;
    }
    try (Stream<Path> files = Files.list(PROC.resolve(pid + "/fd"))) {
      return files.anyMatch(file -> pipes.contains(link(file)));
    } catch (IOException | UncheckedIOException e) {
      return false; // ended meanwhile, or of another user and so not ours
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // ended meanwhile, or of another user and so not ours
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // ended meanwhile, or of another user and so not ours
    }
  }
}
