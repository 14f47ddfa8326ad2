package io.belfry.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Has the core and the simulation for itself, with the classes of its folder in them; takes everything else from the loader above.
 *
 * <p>Threading: safe, as every class loader.
 */
final class MutantLoader extends URLClassLoader {

  MutantLoader(Path classes) throws MalformedURLException {
    super(new URL[] {classes.toUri().toURL()}, MutantLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.belfry.core.") && !name.startsWith("io.belfry.simulation.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : own(name);
    }
  }

  /** The mutated class, or the original once more: both kinds must see each other's package. */
  private Class<?> own(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    if (findResource(file) != null) {
      return findClass(name);
    }
    try (InputStream original = getParent().getResourceAsStream(file)) {
      if (original == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = original.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
