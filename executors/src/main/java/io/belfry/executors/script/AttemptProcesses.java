package io.belfry.executors.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the processes of one attempt in {@code /proc}:
 *
 * <ul>
 *   <li>its first process, and all processes in the session or process group of that;
 *   <li>all their descendants, and every process that was found once;
 *   <li>of the processes that started later: those with its mark in the environment, with its folder as working directory, or with its
 *       output open.
 * </ul>
 *
 * <p>Zombies do not count. A process in the server's own session holds all open files of the server while it is being started, so that
 * an open output does not identify it.
 *
 * <p>Threading: confined to the attempt's thread.
 */
final class AttemptProcesses {
  static final Path PROC = Path.of("/proc");

  private final Path proc;
  private final AttemptFolder place;
  private final Predicate<String> isOutput;
  private final long since;
  private final long ownSession;
  private Optional<ProcessHandle> first = Optional.empty();
  private Set<ProcessHandle> known = Set.of();

  private AttemptProcesses(
      Path proc, AttemptFolder place, Predicate<String> isOutput, long since, long ownSession) {
    this.proc = proc;
    this.place = place;
    this.isOutput = isOutput;
    this.since = since;
    this.ownSession = ownSession;
  }

  /**
   * To be called before the first process is started.
   *
   * @param isOutput whether an open file, by its name in /proc, is the output
   */
  static AttemptProcesses beginning(Path proc, AttemptFolder place, Predicate<String> isOutput)
      throws IOException {
    long ownSession = ProcessStat.of(PROC, ProcessHandle.current().pid())
        .map(ProcessStat::session)
        .orElse(-1L);
    return new AttemptProcesses(proc, place, isOutput, ProcessStat.now(PROC), ownSession);
  }

  /** Sets the first process, which leads its session and process group once it has created them. */
  void began(ProcessHandle process) {
    first = Optional.of(process);
  }

  /**
   * A process of the attempt.
   *
   * @param inGroup whether a signal to the process group reaches it
   */
  record Member(ProcessHandle process, boolean inGroup) {}

  /**
   * The processes that run now.
   *
   * @throws IOException if /proc cannot be read, for example without free file descriptors
   */
  List<Member> members() throws IOException {
    Map<ProcessHandle, ProcessStat> alive = alive();
    var ours = new LinkedHashMap<Long, Member>();
    alive.forEach((process, stat) -> {
      if (isOurs(process, stat)) {
        ours.put(process.pid(), member(process, stat));
      }
    });
    int before;
    do {
      before = ours.size();
      alive.forEach((process, stat) -> {
        if (stat.began() >= since && ours.containsKey(stat.parent())) {
          ours.putIfAbsent(process.pid(), member(process, stat));
        }
      });
    } while (ours.size() > before);
    List<Member> members = List.copyOf(ours.values());
    known = Set.copyOf(members.stream().map(Member::process).toList());
    return members;
  }

  private Map<ProcessHandle, ProcessStat> alive() throws IOException {
    var alive = new HashMap<ProcessHandle, ProcessStat>();
    for (long pid : pids()) {
      // The handle is created first: it knows the start time, and never signals another process
      // with the same pid.
      Optional<ProcessHandle> process = ProcessHandle.of(pid);
      Optional<ProcessStat> stat = ProcessStat.of(proc, pid);
      if (stat.isEmpty() || stat.get().dead() || pid == ProcessHandle.current().pid()) {
        continue;
      }
      alive.put(
          process.orElseThrow(() -> new IOException("process " + pid + " could not be read")),
          stat.get());
    }
    return alive;
  }

  private List<Long> pids() throws IOException {
    try (Stream<Path> all = Files.list(proc)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.chars().allMatch(c -> c >= '0' && c <= '9'))
          .map(Long::parseLong)
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Member member(ProcessHandle process, ProcessStat stat) {
    return new Member(process, isSession(stat.group()));
  }

  private boolean isSession(long id) {
    return first.isPresent() && first.get().pid() == id;
  }

  private boolean isOurs(ProcessHandle process, ProcessStat stat) {
    return known.contains(process)
        || first.filter(process::equals).isPresent()
        || isSession(stat.group())
        || isSession(stat.session())
        || (stat.began() >= since && isRecognized(process.pid(), stat));
  }

  private boolean isRecognized(long pid, ProcessStat stat) {
    return isMarked(pid) || isAtPlace(pid) || (stat.session() != ownSession && holdsOutput(pid));
  }

  private boolean isMarked(long pid) {
    String variables = '\0' + environment(proc, pid);
    return variables.contains('\0' + Environment.MARK + "=" + place.mark() + '\0');
  }

  /** Its environment, each variable ended by NUL; empty if the process has ended or cannot be inspected. */
  static String environment(long pid) {
    return environment(PROC, pid);
  }

  private static String environment(Path proc, long pid) {
    try {
      return new String(
          Files.readAllBytes(proc.resolve(pid + "/environ")), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // has ended, or cannot be inspected
    }
  }

  private boolean isAtPlace(long pid) {
    String folder = link(proc.resolve(pid + "/cwd"));
    return !folder.isEmpty() && Path.of(folder).startsWith(place.folder());
  }

  private boolean holdsOutput(long pid) {
    try (Stream<Path> files = Files.list(proc.resolve(pid + "/fd"))) {
      return files.anyMatch(file -> isOutput.test(link(file)));
    } catch (IOException | UncheckedIOException e) {
      return false; // has ended, or cannot be inspected
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // has ended, or cannot be inspected
    }
  }
}
