package io.belfry.tests.simulation;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Takes the core and the simulation from its own folder, everything else from the loader above.
 *
 * <p>Threading: safe, as every class loader.
 */
final class MutantLoader extends URLClassLoader {

  MutantLoader(Path classes) throws MalformedURLException {
    super(new URL[] {classes.toUri().toURL()}, MutantLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.belfry.core.") && !name.startsWith("io.belfry.tests.simulation.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : findClass(name);
    }
  }
}
