package io.belfry.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;

/** Commits as fast as it can until it is killed, and writes down what was acknowledged only after it was. */
final class CrashingChild {
  static final Space SPACE = Space.plain("c").inOrder().watchedTogether();
  static final int WRITERS = 32;

  private CrashingChild() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    String round = arguments[2];
    try (FileChannel ledger = FileChannel.open(
            Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Store store = EmbeddedStore.open(EmbeddedSettings.of(directory).memoryBytes(16 << 20));
        var threads = Executors.newFixedThreadPool(WRITERS)) {
      for (int writer = 0; writer < WRITERS; writer++) {
        String prefix = round + "/" + writer + "/";
        threads.execute(() -> write(store, ledger, prefix));
      }
    }
  }

  private static void write(Store store, FileChannel ledger, String prefix) {
    byte[] value = new byte[200];
    for (int i = 1; ; i++) {
      Key first = key(prefix + "a/" + number(i));
      Outcome outcome = store
          .commit(Commit.when()
              .absent(first)
              .put(first, value)
              .put(key(prefix + "b/" + number(i)), value)
              .put(key(prefix + "last"), number(i).getBytes(UTF_8))
              .delete(key(prefix + "a/" + number(i - 10)))
              .delete(key(prefix + "b/" + number(i - 10)))
              .build())
          .toCompletableFuture()
          .join();
      if (i == 3) {
        System.out.println("ready"); // warm, so that the kill comes at full speed
      }
      note(ledger, prefix + " " + i + " " + ((Outcome.Done) outcome).revision() + "\n");
    }
  }

  static Key key(String name) {
    return Key.of(SPACE, name);
  }

  static String number(int i) {
    return "%08d".formatted(i);
  }

  private static void note(FileChannel ledger, String line) {
    try {
      ledger.write(ByteBuffer.wrap(line.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
