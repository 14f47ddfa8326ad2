package io.belfry.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.Root;
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
  void a_rule_of_one_module_can_be_broken_there() {
    List<String> lines = List.of("String shown = Check.clip(text, 80);");
    String path = "executors/src/main/java/io/belfry/executors/http/Some.java";
    assertThat(Tidy.complaintsAbout(path, lines)).hasSize(1);
    assertThat(Tidy.complaintsAbout(path.replace("executors", "core"), lines)).isEmpty();
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
