package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.ExecutorSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The audit log shows the destination of an executor, however long its URL is. */
class SubmitRuleTest {
  private static String describe(String url) {
    return SubmitRule.describe(new ExecutorSpec("http", Map.of("url", url)));
  }

  @Test
  void the_host_is_whole_whatever_is_before_and_behind_it() {
    String label = "a".repeat(60) + ".";
    String host = label.repeat(3) + "collector.test";
    assertThat(describe("https://" + host + ":8443/" + "p".repeat(4000)))
        .startsWith("inline http executor to https://" + host + ":8443/ppp")
        .contains("characters) …")
        .hasSizeLessThan(600);
  }

  @Test
  void parameters_are_left_out() {
    assertThat(describe("https://a.test/run?key=hidden")).endsWith("to https://a.test/run");
    assertThat(describe("https://a.test?key=hidden")).endsWith("to https://a.test");
  }

  @Test
  void what_is_no_address_is_bounded() {
    assertThat(describe("x".repeat(8000))).hasSizeLessThan(600);
    assertThat(describe("http://" + "x".repeat(8000) + "/")).hasSizeLessThan(600);
  }
}
