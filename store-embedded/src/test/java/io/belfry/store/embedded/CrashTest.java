package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.scanAll;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Entry;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.testkit.contract.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that dies at any moment loses nothing that it acknowledged and leaves nothing half done. */
class CrashTest {
  private static final int KILLS = 50;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private long highestRevision;
  private long acknowledged;

  @Test
  void nothing_acknowledged_is_lost_and_nothing_is_torn_in_fifty_kills()
      throws IOException, InterruptedException {
    Random random = Seeds.random("CrashTest");
    String library = ChildJvm.sharedLibrary(temp);
    Path directory = temp.resolve("store");
    for (int round = 0; round < KILLS; round++) {
      Path ledger = temp.resolve("ledger-" + round);
      try (ChildJvm child = ChildJvm.start(
          temp,
          List.of(library),
          CrashingChild.class,
          directory.toString(),
          ledger.toString(),
          "r" + round)) {
        child.awaitLine("ready");
        child.leaveAloneFor(random.nextInt(5, 200));
        child.kill();
      }
      check(directory, ledger, "r" + round);
    }
    System.out.println(
        "CrashTest: " + KILLS + " kills, " + acknowledged + " commits acknowledged, none lost");
    assertThat(acknowledged).isGreaterThan(KILLS);
  }

  private void check(Path directory, Path ledger, String round) throws IOException {
    try (Store store = EmbeddedStore.open(EmbeddedSettings.of(directory).memoryBytes(16 << 20))) {
      Map<String, Entry> found =
          scanAll(store, Scan.prefix(CrashingChild.SPACE, (round + "/").getBytes(UTF_8))).stream()
              .collect(Collectors.toMap(entry -> entry.key().text(), Function.identity()));
      Map<String, Integer> promised = promised(ledger, answer(store.status()).revision());
      for (int writer = 0; writer < CrashingChild.WRITERS; writer++) {
        String prefix = round + "/" + writer + "/";
        Entry last = found.get(prefix + "last");
        int stored = last == null ? 0 : Integer.parseInt(Subject.text(last));
        assertThat(stored)
            .as("the last commit of %s that is stored; unacknowledged is at most one", prefix)
            .isBetween(promised.getOrDefault(prefix, 0), promised.getOrDefault(prefix, 0) + 1);
        checkWhole(found, prefix, stored);
      }
    }
  }

  /** The last commit's keys are all there with one revision, the ones it deleted are not, nothing of a later one is. */
  private static void checkWhole(Map<String, Entry> found, String prefix, int stored) {
    for (int i = Math.max(1, stored - 12); i <= stored + 2; i++) {
      boolean expected = i > stored - 10 && i <= stored;
      for (String kind : List.of("a/", "b/")) {
        Entry entry = found.get(prefix + kind + CrashingChild.number(i));
        assertThat(entry != null)
            .as("%s%s%d with last %d", prefix, kind, i, stored)
            .isEqualTo(expected);
        if (entry != null && i == stored) {
          assertThat(found.get(prefix + "last"))
              .extracting(Entry::revision)
              .isEqualTo(entry.revision());
        }
      }
    }
  }

  private Map<String, Integer> promised(Path ledger, long revisionNow) throws IOException {
    Map<String, Integer> promised = new HashMap<>();
    long highest = highestRevision;
    String text = Files.exists(ledger) ? Files.readString(ledger) : "";
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      String[] words = line.split(" ", -1);
      promised.merge(words[0], Integer.parseInt(words[1]), Math::max);
      long revision = Long.parseLong(words[2]);
      assertThat(revision)
          .as("revisions never go down, but in %s", line)
          .isGreaterThan(highestRevision);
      highest = Math.max(highest, revision);
      acknowledged++;
    }
    assertThat(revisionNow).isGreaterThanOrEqualTo(highest);
    highestRevision = revisionNow;
    return promised;
  }
}
