package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.PATIENCE_SECONDS;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that is really full. Needs the right to mount one; {@link FailingDiskTest} needs nothing. */
class FullDiskTest {
  private static final Space SPACE = Space.plain("f").inOrder();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private final Random random = Seeds.random("FullDiskTest");
  private final List<Key> acknowledged = new ArrayList<>();
  private final List<Key> unknown = new ArrayList<>();
  private int written;
  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    Files.createDirectory(disk());
    mounted = run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk().toString());
    assumeTrue(mounted, "only who may mount a small file system can fill one");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      assertThat(run("umount", disk().toString())).isTrue();
    }
  }

  private Path disk() {
    return temp.resolve("disk");
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private EmbeddedSettings settings(long roomBytes) {
    return EmbeddedSettings.of(disk().resolve("store")).memoryBytes(16 << 20).roomBytes(roomBytes);
  }

  @Test
  void with_room_kept_free_writes_stop_in_time_and_go_on_when_there_is_room() throws IOException {
    try (Store store = EmbeddedStore.open(settings(16 << 20))) {
      Path ballast = fillUp(40 << 20);
      StoreException refusal = writeUntilRefused(store);
      assertThat(refusal).isInstanceOf(StoreException.Full.class);
      assertThat(unknown).isEmpty();
      assertThat(read(store, acknowledged.getFirst())).isPresent();
      goOnAfterDeleting(ballast, store);
    }
    checkNothingIsLost(16 << 20);
  }

  @Test
  void deletes_go_on_beside_writes_that_are_refused_for_want_of_room() throws IOException {
    try (Store store = EmbeddedStore.open(settings(16 << 20))) {
      Path ballast = fillUp(30 << 20);
      assertThat(writeUntilRefused(store)).isInstanceOf(StoreException.Full.class);
      Path more = Files.write(
          disk().resolve("more"), new byte[8 << 20]); // old logs may become free meanwhile
      var puts = new ArrayList<CompletionStage<Outcome>>();
      var deletes = new ArrayList<CompletionStage<Outcome>>();
      for (int i = 0; i < 20; i++) {
        Key fresh = Key.of(SPACE, "fresh" + i);
        puts.add(store.commit(Commit.when().put(fresh, new byte[8_000]).build()));
        deletes.add(store.commit(Commit.when().delete(acknowledged.removeLast()).build()));
      }
      for (CompletionStage<Outcome> each : deletes) {
        assertThat(answer(each)).isInstanceOf(Outcome.Done.class);
      }
      for (CompletionStage<Outcome> each : puts) {
        assertThatThrownBy(() -> answer(each)).isInstanceOf(StoreException.Full.class);
      }
      Files.delete(more);
      goOnAfterDeleting(ballast, store);
    }
    checkNothingIsLost(16 << 20);
  }

  @Test
  void deletes_are_possible_when_another_program_has_taken_all_the_room() throws IOException {
    try (Store store = EmbeddedStore.open(settings(16 << 20))) {
      Path ballast = fillUp(30 << 20);
      assertThat(writeUntilRefused(store)).isInstanceOf(StoreException.Full.class);
      Path reserve = disk().resolve("store").resolve(DiskReserve.FILE);
      await("the reserve is written").until(() -> Files.exists(reserve));
      Path more = disk().resolve("more");
      assertThatThrownBy(() -> {
            try (OutputStream out = Files.newOutputStream(more)) {
              for (int i = 0; i < 64 << 10; i++) {
                out.write(new byte[1 << 10]);
              }
            }
          })
          .hasMessageContaining("No space left");
      await("the reserve is given up").until(() -> !Files.exists(reserve));
      while (acknowledged.size() > 10) {
        assertThat(answer(
                store.commit(Commit.when().delete(acknowledged.removeLast()).build())))
            .isInstanceOf(Outcome.Done.class);
      }
      Files.delete(more);
      goOnAfterDeleting(ballast, store);
    }
    checkNothingIsLost(16 << 20);
  }

  @Test
  void run_into_the_wall_it_acknowledges_nothing_false_and_goes_on_when_there_is_room()
      throws IOException {
    try (Store store = EmbeddedStore.open(settings(0))) {
      Path ballast = fillUp(50 << 20);
      StoreException refusal = writeUntilRefused(store);
      assertThat(refusal).isInstanceOfAny(StoreException.Full.class, StoreException.Unknown.class);
      assertThat(read(store, acknowledged.getFirst())).as("reads go on").isPresent();
      goOnAfterDeleting(ballast, store);
    }
    checkNothingIsLost(0);
  }

  private Path fillUp(int bytes) throws IOException {
    return Files.write(disk().resolve("ballast"), new byte[bytes]);
  }

  private StoreException writeUntilRefused(Store store) {
    while (true) {
      StoreException refusal = write(store);
      if (refusal != null) {
        return refusal;
      }
      assertThat(written).as("the disk must become full").isLessThan(20_000);
    }
  }

  private @Nullable StoreException write(Store store) {
    Key key = Key.of(SPACE, "k%06d".formatted(written++));
    byte[] value = new byte[8_000];
    random.nextBytes(value);
    try {
      Outcome outcome =
          answer(store.commit(Commit.when().absent(key).put(key, value).build()));
      assertThat(outcome).isInstanceOf(Outcome.Done.class);
      acknowledged.add(key);
      return null;
    } catch (StoreException.Unknown e) {
      unknown.add(key);
      return e;
    } catch (StoreException e) {
      return e;
    }
  }

  private void goOnAfterDeleting(Path ballast, Store store) throws IOException {
    for (int i = 0; i < 20; i++) {
      var unused = write(store); // whatever it says, it is written down
    }
    Files.delete(ballast);
    await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> write(store) == null);
    for (int i = 0; i < 50; i++) {
      assertThat(write(store)).isNull();
    }
  }

  private void checkNothingIsLost(long roomBytes) {
    try (Store store = EmbeddedStore.open(settings(roomBytes))) {
      List<Key> found = scanAll(store, Scan.all(SPACE)).stream().map(Entry::key).toList();
      System.out.println("FullDiskTest: " + acknowledged.size() + " acknowledged, " + unknown.size()
          + " unknown, " + found.size() + " found");
      assertThat(found).containsAll(acknowledged);
      var unexplained = new ArrayList<>(found);
      unexplained.removeAll(acknowledged);
      assertThat(unknown).containsAll(unexplained);
    }
  }
}
