package io.belfry.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.Root;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TidyTest {
  @Test
  void the_sources_keep_the_house_rules() throws IOException {
    assertThat(Tidy.complaints(Root.FOLDER)).isEmpty();
  }

  @Test
  void every_package_says_what_it_is_for() throws IOException {
    assertThat(Tidy.packagesWithoutWord(Root.FOLDER)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Instant start = Instant.now();",
        "long t = System.nanoTime();",
        "var random = new Random();",
        "int i = ThreadLocalRandom.current().nextInt();",
        "String id = UUID.randomUUID().toString();",
        "Thread.sleep(100);",
        "stage.thenApplyAsync(this::next);",
        "CompletableFuture.supplyAsync(this::next);",
        "var done = CompletableFuture.runAsync(() -> next());",
        "Set.copyOf(others.keySet()).stream().forEach(this::gone);",
        "for (String id : Set.of(\"a\", \"b\")) {",
        "Map.of(1, 2).forEach(this::put);",
        "final class TaskHelper {",
        "// TODO later",
        "@Disabled",
        "e.printStackTrace();",
        "} catch (IOException e) {}",
        "package io.belfry.util;"
      })
  void each_rule_can_be_broken(String line) {
    assertThat(Tidy.complaintsAbout("core/src/main/java/io/belfry/core/Some.java", List.of(line)))
        .hasSize(1);
  }

  @Test
  void a_long_file_is_noticed() {
    List<String> lines = IntStream.range(0, 401).mapToObj(i -> "").toList();
    assertThat(Tidy.complaintsAbout("Some.java", lines))
        .singleElement()
        .asString()
        .contains("401 lines");
  }
}
