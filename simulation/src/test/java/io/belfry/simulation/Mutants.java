package io.belfry.simulation;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Plants bugs and sees whether the simulation finds them: a test that has never failed has proved nothing.
 *
 * <pre>
 *   sources ──copy, replace a text──▶ javac ──▶ loader of its own, which takes the rest as it is ──▶ scenario, seed by seed
 * </pre>
 *
 * <p>Nothing of it touches the classes that everybody else uses.
 */
final class Mutants {
  private static final List<Path> SOURCES = List.of(
      Root.FOLDER.resolve("core/src/main/java"), Root.FOLDER.resolve("simulation/src/test/java"));

  /**
   * A mutant that was found out.
   *
   * @param law that it broke, and how
   */
  record Caught(long seed, String law) {}

  private Mutants() {}

  /**
   * Runs the scenario with the bug in it until that law breaks; empty when it does not within so many seeds. What else breaks before is
   * passed over: by another law the mutant would be caught for another reason, or by chance.
   *
   * @param law its number, or how its name begins
   * @param scenario name of a {@link LongConsumer} with a constructor without arguments, which runs one seed
   */
  static Optional<Caught> hunt(
      Mutant mutant, Class<? extends LongConsumer> scenario, String law, long first, int seedsMax)
      throws IOException {
    Path folder = Files.createTempDirectory("belfry-mutant");
    try {
      Path classes = compile(mutant, folder);
      try (var loader = new MutantLoader(classes)) {
        return hunt(scenario(loader, scenario.getName()), law, first, seedsMax);
      }
    } finally {
      delete(folder);
    }
  }

  private static Optional<Caught> hunt(
      LongConsumer scenario, String law, long first, int seedsMax) {
    for (long seed = first; seed < first + seedsMax; seed++) {
      try {
        scenario.accept(seed);
      } catch (AssertionError e) {
        String broken = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (broken.startsWith(law)) {
          return Optional.of(new Caught(seed, broken));
        }
      }
    }
    return Optional.empty();
  }

  private static LongConsumer scenario(MutantLoader loader, String name) {
    try {
      Constructor<?> constructor = loader.loadClass(name).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (LongConsumer) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          name + " must be a scenario that can be made without arguments.", e);
    }
  }

  /** Only the files that are changed: all the rest is taken as it was compiled before. */
  private static Path compile(Mutant mutant, Path folder) throws IOException {
    var copies = new ArrayList<Path>();
    for (Mutant.Edit edit : mutant.edits()) {
      Path copy = folder.resolve("src").resolve(edit.file());
      Path before = Files.exists(copy) ? copy : source(mutant, edit.file());
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, mutant.applyTo(Files.readString(before), edit));
      if (!copies.contains(copy)) {
        copies.add(copy);
      }
    }
    return compile(copies, Files.createDirectories(folder.resolve("classes")), mutant);
  }

  private static Path source(Mutant mutant, String file) {
    for (Path root : SOURCES) {
      if (Files.exists(root.resolve(file))) {
        return root.resolve(file);
      }
    }
    throw new IllegalArgumentException(
        "The mutant '" + mutant.name() + "' must be in a source of the core or of the"
            + " simulation, but " + file + " is none. Follow its new name.");
  }

  private static Path compile(List<Path> files, Path classes, Mutant mutant) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var complaints = new StringWriter();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options = List.of(
          "-proc:none",
          "-nowarn",
          "-d",
          classes.toString(),
          "-cp",
          System.getProperty("java.class.path"));
      boolean good = compiler
          .getTask(
              complaints, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
          .call();
      if (!good) {
        throw new IllegalArgumentException(
            "The mutant '" + mutant.name() + "' must compile, but does not:\n" + complaints);
      }
    }
    return classes;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
