package io.belfry.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Directories of stores that are closed, copied and spoilt. */
final class Copies {
  private Copies() {}

  static Path copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (Path old : files(to, "*")) {
      Files.delete(old);
    }
    for (Path file : files(from, "*")) {
      Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    return to;
  }

  static List<Path> files(Path directory, String pattern) throws IOException {
    var found = new ArrayList<Path>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, pattern)) {
      stream.forEach(found::add);
    }
    return found;
  }

  /** The one that is largest: of several logs the one with something in it. */
  static Path largest(Path directory, String pattern) throws IOException {
    Path largest = null;
    for (Path file : files(directory, pattern)) {
      if (largest == null || Files.size(file) > Files.size(largest)) {
        largest = file;
      }
    }
    if (largest == null) {
      throw new AssertionError("no " + pattern + " in " + directory);
    }
    return largest;
  }

  static void flip(Path file, long bit) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, bit / 8);
      one.put(0, (byte) (one.get(0) ^ 1 << bit % 8)).flip();
      channel.write(one, bit / 8);
    }
  }
}
