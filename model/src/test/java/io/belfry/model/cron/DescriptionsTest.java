package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DescriptionsTest {

  record Example(String expression, Dialect dialect, String english, String chinese) {

    static Example of(String line) {
      String[] parts = line.split(" \\| ", -1);
      boolean quartz = parts[0].startsWith("Q ");
      return new Example(
          quartz ? parts[0].substring(2) : parts[0],
          quartz ? Dialect.QUARTZ : Dialect.BELFRY,
          parts[1],
          parts[2]);
    }
  }

  static List<Example> examples() {
    try (InputStream in = DescriptionsTest.class.getResourceAsStream("descriptions.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("//"))
          .map(Example::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_expression_reads_as_a_person_would_say_it(Example example) {
    Cron cron = Cron.parse(example.expression, example.dialect, "nightly");
    assertThat(cron.describe(Language.ENGLISH)).isEqualTo(example.english);
    assertThat(cron.describe(Language.CHINESE)).isEqualTo(example.chinese);
  }

  @Test
  void there_are_many_examples() {
    assertThat(examples()).hasSizeGreaterThan(120);
  }

  @Test
  void whatever_can_be_written_can_be_said() {
    RandomExpressions expressions =
        new RandomExpressions(Seed.generator("words"), RandomExpressions.Taste.BELFRY);
    Stream.generate(expressions::next)
        .limit(3_000)
        .filter(DescriptionsTest::fires)
        .map(Cron::parse)
        .forEach(cron -> assertThat(
                List.of(cron.describe(Language.ENGLISH), cron.describe(Language.CHINESE)))
            .as("%s; %s", cron, Seed.hint())
            .allSatisfy(words -> assertThat(words).isNotBlank().doesNotContain("  ", "null")));
  }

  private static boolean fires(String expression) {
    try {
      Cron.parse(expression);
      return true;
    } catch (CronSyntaxException never) {
      assertThat(never.problem()).as(expression).contains("never fire");
      return false;
    }
  }

  @Test
  void what_is_the_same_is_said_the_same() {
    assertThat(Cron.parse("0,15,30,45 * * * *").describe(Language.ENGLISH))
        .isEqualTo(Cron.parse("*/15 * * * *").describe(Language.ENGLISH))
        .isEqualTo("every 15 minutes");
  }
}
