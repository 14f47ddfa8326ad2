package io.belfry.executors.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders that cannot be deleted within the limit. */
@Timeout(60)
class FolderCleanupTest {
  private static final Duration NO_TIME = Duration.ofNanos(1);
  private static final Duration ENOUGH = Duration.ofSeconds(30);

  @TempDir
  private Path folder;

  private ScriptRules rules;

  @BeforeEach
  void make() throws IOException {
    rules = Scripts.rules(folder);
  }

  private AttemptFolder place() throws IOException {
    AttemptFolder place = AttemptFolder.in(rules, Time.system());
    var unused = place.write("file", new byte[10]);
    return place;
  }

  @Test
  void are_deleted_later() throws Exception {
    try (var leftovers = new FolderCleanup(NO_TIME, Duration.ofMillis(20), Time.system())) {
      for (AttemptFolder place : List.of(place(), place())) {
        leftovers.delete(place);
      }
      Awaitility.await().atMost(ENOUGH).untilAsserted(() -> {
        try (var left = Files.list(rules.temp())) {
          assertThat(left).isEmpty();
        }
      });
      AttemptFolder another = place();
      leftovers.delete(another);
      Awaitility.await().atMost(ENOUGH).until(() -> Files.notExists(another.folder()));
    }
  }

  @Test
  void stay_behind_when_the_executor_is_closed() throws Exception {
    AttemptFolder place = place();
    var leftovers = new FolderCleanup(NO_TIME, Duration.ofDays(1), Time.system());
    leftovers.delete(place);
    leftovers.close();
    leftovers.close();
    AttemptFolder late = place();
    leftovers.delete(late);
    assertThat(place.folder()).exists();
    assertThat(late.folder()).exists();
  }

  @Test
  void are_none_while_there_is_time() throws Exception {
    AttemptFolder place = place();
    try (var leftovers = new FolderCleanup(ENOUGH, Duration.ofDays(1), Time.system())) {
      leftovers.delete(place);
    }
    assertThat(place.folder()).doesNotExist();
  }
}
