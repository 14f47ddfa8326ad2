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
 * The named pipes into which one process prints. A file would have no bound; and the pipes of {@link Process} cannot be given up: a
 * process that hides and holds the other end blocks their reader, and the thread of Java that takes what is left when the process
 * ends. Closing these ends a reader at once, whoever holds the other end.
 *
 * <pre>
 *   make: mkfifo, open both ends ──▶ the process is started with them ──▶ started: only the process has the writing ends, the names are gone
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

  /** New ones, beside the folder of the attempt, where only the server can make and replace files. */
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
      throw new IOException("mkfifo ended with exit code " + exit
          + "; named pipes must be possible in " + out.getParent());
    }
    for (Path file : List.of(out, err)) {
      // Both ends at first: so no opening waits for the other end, and no reader finds an end
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

  /** Whether an open file of a process, as the kernel names it, is one of them. */
  boolean has(String link) {
    String name =
        link.endsWith(DELETED) ? link.substring(0, link.length() - DELETED.length()) : link;
    return name.equals(out.toString()) || name.equals(err.toString());
  }

  /** To be called when the process was started, or was not: what reads finds the end when no process holds the pipe any more. */
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
      LOG.warn("A pipe of a script could not be closed.", e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} could not be deleted and stays behind. Delete it by hand.", file, e);
    }
  }
}
