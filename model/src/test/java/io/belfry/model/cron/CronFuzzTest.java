package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;

/**
 * Any bytes at all. In a normal run the stored inputs are replayed; to search for new ones:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl model -am test -Dtest=CronFuzzTest -Djazzer.hooks=true
 * </pre>
 */
class CronFuzzTest {

  private static final Instant NOW = Instant.parse("2027-03-10T08:58:57Z");

  @FuzzTest(maxDuration = "5m")
  void text_is_an_expression_or_a_mistake_with_a_place(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    for (Dialect dialect : Dialect.values()) {
      Cron cron;
      try {
        cron = Cron.parse(text, dialect, "job").in(ZoneId.of("America/New_York"));
      } catch (CronSyntaxException e) {
        assertThat(e.position()).isBetween(0, e.expression().length());
        assertThat(e.expression().substring(e.position())).startsWith(e.offending());
        assertThat(e.getMessage()).contains(e.problem()).contains(e.remedy());
        assertThat(e.pointer()).contains("^");
        continue;
      }
      assertThat(Cron.parse(cron.expression(), dialect, "job").in(cron.zone())).isEqualTo(cron);
      cron.next(NOW).ifPresent(next -> assertThat(next).isAfter(NOW));
      cron.previous(NOW).ifPresent(previous -> assertThat(previous).isBefore(NOW));
      assertThat(cron.preview(NOW, 3)).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
      assertThat(cron.describe(Language.ENGLISH)).isNotBlank().doesNotContain("  ");
      assertThat(cron.describe(Language.CHINESE)).isNotBlank().doesNotContain("  ");
    }
  }
}
