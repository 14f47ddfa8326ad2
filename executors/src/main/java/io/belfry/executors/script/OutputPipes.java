package io.belfry.executors.script;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The named pipes for the output of one process. A file would be unbounded. The pipes of {@link Process} cannot be abandoned: a hidden
 * process that holds the other end blocks their reader, and also the Java thread that drains them when the process ends. Closing a
 * named pipe ends its reader at once, whoever holds the other end.
 *
 * <pre>
 *   make: mkfifo, open both ends ──▶ start the process with them ──▶ started: close our write ends, delete the names
 * </pre>
 *
 * <p>Threading: confined to the attempt's thread; another one may read each channel.
 */
final class OutputPipes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutputPipes.class);
  private static final Duration MAKING = Duration.ofSeconds(10);
  private static final String DELETED = " (deleted)";

  private final Path out;
  private final Path err;
  private final List<FileChannel> writing = new ArrayList<>();
  private final List<FileChannel> reading = new ArrayList<>();

  private OutputPipes(Path out, Path err) {
    this.out = out;
    this.err = err;
  }

  /** Creates the pipes beside the attempt's folder, where only the server can create and replace files. */
  static OutputPipes make(AttemptFolder place, Path mkfifo, SystemCommand tool)
      throws IOException, InterruptedException {
    var pipes = new OutputPipes(place.beside("out"), place.beside("err"));
    boolean opened = false;
    try {
      pipes.open(mkfifo, tool);
      opened = true;
      return pipes;
    } finally {
      if (!opened) {
        pipes.close();
      }
    }
  }

  private void open(Path mkfifo, SystemCommand tool) throws IOException, InterruptedException {
    int exit = tool.run(
        List.of(mkfifo.toString(), "-m", "600", "--", out.toString(), err.toString()), MAKING);
    if (exit != 0) {
      throw new IOException("mkfifo ended with exit code " + exit + ". The file system of "
          + out.getParent() + " must support named pipes");
    }
    for (Path file : List.of(out, err)) {
      // Both ends are opened first: so neither waits for the other, and no reader sees end of file
      // before the process has the pipe.
      writing.add(FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
      reading.add(FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }
  }

  void redirect(ProcessBuilder builder) {
    builder.redirectOutput(Redirect.to(out.toFile())).redirectError(Redirect.to(err.toFile()));
  }

  ReadableByteChannel out() {
    return reading.getFirst();
  }

  ReadableByteChannel err() {
    return reading.getLast();
  }

  /** Whether an open file of a process, by its name in /proc, is one of the pipes. */
  boolean has(String link) {
    String name =
        link.endsWith(DELETED) ? link.substring(0, link.length() - DELETED.length()) : link;
    return name.equals(out.toString()) || name.equals(err.toString());
  }

  /** To be called once the process was started or failed to start. After that, readers see end of file when no process holds the pipe. */
  void started() {
    writing.forEach(OutputPipes::close);
    writing.clear();
    delete(out);
    delete(err);
  }

  @Override
  public void close() {
    started();
    reading.forEach(OutputPipes::close);
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("An output pipe of a script could not be closed.", e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn(
          "The pipe {} of a script could not be deleted and stays on disk. Delete it manually.",
          file,
          e);
    }
  }
}
