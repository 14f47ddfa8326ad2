package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A torn tail is cut; anything else that is damaged is refused, or harmless, and never silently lost. */
class DamageTest {
  private static final Space SPACE = Space.plain("d").inOrder();
  private static final int COMMITS = 40;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private final Random random = Seeds.random("DamageTest");
  private long syncedLength;

  /** Forty commits, then one more, of which we know where in the log it begins. */
  @BeforeEach
  void writeAStore() throws IOException {
    try (Store store = open(original())) {
      for (int i = 0; i < COMMITS; i++) {
        commit(store, i, 20 * i);
      }
      syncedLength = Files.size(Copies.largest(original(), "*.log"));
      commit(store, COMMITS, 300);
    }
  }

  private Path original() {
    return temp.resolve("original");
  }

  private static Store open(Path directory) {
    return EmbeddedStore.open(EmbeddedSettings.of(directory).memoryBytes(16 << 20));
  }

  private void commit(Store store, int i, int size) {
    byte[] value = new byte[size];
    random.nextBytes(value);
    done(
        store,
        Commit.when()
            .put(Key.of(SPACE, "a%03d".formatted(i)), value)
            .put(Key.of(SPACE, "b%03d".formatted(i)), bytes("b")));
  }

  private static List<String> names(Path directory) {
    try (Store store = open(directory)) {
      return scanAll(store, Scan.all(SPACE)).stream()
          .map(Entry::key)
          .map(Key::text)
          .toList();
    }
  }

  /** The second line of defence, behind our own reading of the log: RocksDB's default drops a damaged rest. */
  @Test
  void rocksdb_itself_is_told_to_cut_only_a_torn_tail() throws IOException {
    try (Store store = open(original());
        Stream<Path> files = Files.list(original())) {
      Path options = files
          .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
      assertThat(Files.readString(options))
          .contains("wal_recovery_mode=kTolerateCorruptedTailRecords");
    }
  }

  @Test
  void a_tail_torn_anywhere_behind_the_last_sync_is_cut() throws IOException {
    long length = Files.size(Copies.largest(original(), "*.log"));
    assertThat(length).isGreaterThan(syncedLength + 300);
    for (long cut = syncedLength;
        cut < length;
        cut += cut < syncedLength + 16 ? 1 : 1 + random.nextInt(20)) {
      Path copy = Copies.copy(original(), temp.resolve("copy"));
      Path log = Copies.largest(copy, "*.log");
      try (var channel = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
        channel.truncate(cut);
      }
      assertThat(names(copy))
          .as("cut at %d of %d", cut, length)
          .hasSize(2 * COMMITS)
          .doesNotContain("a040", "b040");
      assertThat(names(copy)).as("opened once more").hasSize(2 * COMMITS);
    }
  }

  @Test
  void a_tail_of_zeros_that_were_only_reserved_is_cut() throws IOException {
    Path copy = Copies.copy(original(), temp.resolve("copy"));
    Files.write(Copies.largest(copy, "*.log"), new byte[100_000], StandardOpenOption.APPEND);
    assertThat(names(copy)).hasSize(2 * COMMITS + 2);
  }

  @Test
  void every_bit_that_flips_near_the_end_of_a_log_and_any_elsewhere_is_found() throws IOException {
    assertFlipsAreFound(Copies.largest(original(), "*.log"), 8_000);
    assertFlipsAreFound(Copies.largest(original(), "MANIFEST-*"), 8_000);
  }

  /** Every bit of the last 400 bytes, where a flipped length looks like a torn tail, and a sample of the others. */
  private void assertFlipsAreFound(Path file, int sample) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Path spoilt = temp.resolve("spoilt");
    Files.write(spoilt, bytes);
    LogCheck.check(spoilt);
    long bits = 8L * bytes.length;
    long stride = Math.max(1, bits / sample);
    int tried = 0;
    var missed = new ArrayList<Long>();
    for (long bit = 0; bit < bits; bit += bit < bits - 3_200 ? stride : 1) {
      Copies.flip(spoilt, bit);
      if (!isRefused(spoilt)) {
        missed.add(bit);
      }
      Copies.flip(spoilt, bit);
      tried++;
    }
    System.out.println("DamageTest: " + tried + " bits flipped in " + file.getFileName() + ", "
        + missed.size() + " missed");
    assertThat(missed).as("bits of %d whose flip goes unnoticed", bits).isEmpty();
  }

  private static boolean isRefused(Path log) throws IOException {
    try {
      LogCheck.check(log);
      return false;
    } catch (StoreException.Damaged e) {
      return true;
    }
  }

  @Test
  void damage_in_the_middle_of_the_log_is_refused_and_the_place_is_named() throws IOException {
    long length = Files.size(Copies.largest(original(), "*.log"));
    for (int i = 0; i < 25; i++) {
      Path copy = Copies.copy(original(), temp.resolve("copy"));
      Path log = Copies.largest(copy, "*.log");
      Copies.flip(log, random.nextLong(8 * length));
      assertThatThrownBy(() -> names(copy))
          .isInstanceOf(StoreException.Damaged.class)
          .hasMessageContaining(log.getFileName().toString())
          .hasMessageContaining("restore a backup");
    }
  }

  @Test
  void a_stretch_of_zeros_in_the_log_is_refused() throws IOException {
    Path log = Copies.largest(original(), "*.log");
    byte[] intact = Files.readAllBytes(log);
    for (int i = 0; i < 25; i++) {
      Path copy = Copies.copy(original(), temp.resolve("copy"));
      byte[] spoilt = intact.clone();
      int from = random.nextInt(intact.length - 600);
      Arrays.fill(spoilt, from, from + 512, (byte) 0);
      Files.write(Copies.largest(copy, "*.log"), spoilt);
      assertThatThrownBy(() -> names(copy))
          .as("zeros from %d", from)
          .isInstanceOf(StoreException.Damaged.class);
    }
  }

  @Test
  void damage_in_a_table_is_refused_or_harms_nothing() throws IOException {
    Path big = temp.resolve("big");
    try (Store store = open(big)) {
      byte[] value = new byte[1 << 16];
      for (int i = 0; i < 100; i++) {
        random.nextBytes(value);
        done(store, Commit.when().put(Key.of(SPACE, "k%03d".formatted(i)), value.clone()));
      }
    }
    List<String> all = names(big);
    int refused = 0;
    for (int i = 0; i < 15; i++) {
      Path copy = Copies.copy(big, temp.resolve("copy"));
      Path table = Copies.largest(copy, "*.sst");
      Copies.flip(table, random.nextLong(8 * Files.size(table)));
      try {
        assertThat(names(copy)).isEqualTo(all);
      } catch (StoreException.Damaged e) {
        assertThat(e).hasMessageContaining(table.getFileName().toString());
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(10);
  }

  @Test
  void a_directory_that_lost_its_beginning_is_not_taken_for_a_new_one() throws IOException {
    for (String lost : List.of("CURRENT", "MANIFEST-*")) {
      Path copy = Copies.copy(original(), temp.resolve("copy"));
      Files.delete(Copies.largest(copy, lost));
      assertThatThrownBy(() -> names(copy)).as(lost).isInstanceOf(StoreException.class);
      assertThat(Copies.files(copy, "*.log")).as("nothing was deleted").isNotEmpty();
    }
  }

  @Test
  void a_lost_table_is_refused() throws IOException {
    Path big = temp.resolve("big");
    try (Store store = open(big)) {
      for (int i = 0; i < 100; i++) {
        byte[] value = new byte[1 << 16];
        random.nextBytes(value);
        done(store, Commit.when().put(Key.of(SPACE, "k%03d".formatted(i)), value));
      }
    }
    Files.delete(Copies.largest(big, "*.sst"));
    assertThatThrownBy(() -> names(big)).isInstanceOf(StoreException.Damaged.class);
  }

  @Test
  void entries_that_do_not_add_up_are_refused() throws Exception {
    try (var natives = NativeHandles.open(original(), 16 << 20, false)) {
      natives.db().delete(Layout.key(Key.of(SPACE, "a007")));
    }
    assertThatThrownBy(() -> names(original()))
        .isInstanceOf(StoreException.Damaged.class)
        .hasMessageContaining("do not add up");
  }

  @Test
  void a_database_of_another_program_is_left_alone() throws Exception {
    Path other = Files.createDirectory(temp.resolve("other"));
    try (var natives = NativeHandles.open(other, 16 << 20, true)) {
      natives.db().put(new byte[] {'x'}, new byte[] {'y'});
    }
    assertThatThrownBy(() -> names(other))
        .isInstanceOf(StoreException.Damaged.class)
        .hasMessageContaining("belongs to another program");
  }
}
