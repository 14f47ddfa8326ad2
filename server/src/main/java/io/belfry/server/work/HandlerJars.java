package io.belfry.server.work;

import io.belfry.library.Belfry;
import io.belfry.library.HandlerModule;
import io.belfry.model.Check;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads Java handlers from jars in a directory. A jar lists its modules in {@code META-INF/services/io.belfry.library.HandlerModule}.
 *
 * <p>Threading: safe.
 */
public final class HandlerJars implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerJars.class);

  private final URLClassLoader loader;
  private final List<HandlerModule> modules;

  private HandlerJars(URLClassLoader loader, List<HandlerModule> modules) {
    this.loader = loader;
    this.modules = modules;
  }

  /** Loads the jars of the directory; none if it does not exist. */
  public static HandlerJars in(Path folder) {
    var loader =
        new URLClassLoader("belfry-handlers", urls(folder), HandlerJars.class.getClassLoader());
    try {
      List<HandlerModule> modules = ServiceLoader.load(HandlerModule.class, loader).stream()
          .map(ServiceLoader.Provider::get)
          .toList();
      modules.forEach(
          module -> LOG.info("Loaded handlers of {}.", module.getClass().getName()));
      return new HandlerJars(loader, modules);
    } catch (ServiceConfigurationError e) {
      throw Check.refusal(
          "handlers.directory",
          folder.toString(),
          "must contain jars whose handlers can be loaded (" + e.getMessage() + ")",
          "Fix the jar, or remove it.");
    }
  }

  private static URL[] urls(Path folder) {
    if (!Files.isDirectory(folder)) {
      return new URL[0];
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".jar"))
          .sorted()
          .map(HandlerJars::url)
          .toArray(URL[]::new);
    } catch (IOException e) {
      throw Check.refusal(
          "handlers.directory",
          folder.toString(),
          "must be a directory that can be read (" + e.getClass().getSimpleName() + ")",
          "Check its permissions.");
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("every file has a URL", e);
    }
  }

  /** Registers all handlers of the jars. */
  public void register(Belfry belfry) {
    modules.forEach(module -> module.register(belfry));
  }

  /** Whether all modules are healthy. */
  public boolean healthy() {
    return modules.stream().allMatch(HandlerModule::healthy);
  }

  @Override
  public void close() {
    try {
      loader.close();
    } catch (IOException e) {
      LOG.debug("A handler jar could not be closed.", e);
    }
  }
}
