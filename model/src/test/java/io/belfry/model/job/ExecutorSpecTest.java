package io.belfry.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutorSpecTest {

  @Test
  void keeps_the_order_of_its_settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("url", "https://x");
    settings.put("body", Map.of("day", "${scheduled.date}"));
    settings.put("accept", List.of(200L, 204L));
    assertThat(new ExecutorSpec("http", settings).settings().keySet())
        .containsExactly("url", "body", "accept");
  }

  @Test
  void cannot_be_changed_from_outside_at_any_depth() {
    List<Object> codes = new ArrayList<>(List.of(200));
    Map<String, Object> inner = new HashMap<>(Map.of("codes", codes));
    ExecutorSpec spec = new ExecutorSpec("http", Map.of("accept", inner));
    codes.add(500);
    inner.put("more", true);
    assertThat(spec.settings()).isEqualTo(Map.of("accept", Map.of("codes", List.of(200L))));
    assertThatThrownBy(() -> spec.settings().put("x", 1))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void compares_as_equal_however_its_numbers_were_read() {
    assertThat(number(7))
        .isEqualTo(number(7L))
        .isEqualTo(number((short) 7))
        .isEqualTo(number(BigInteger.valueOf(7)));
    assertThat(number((byte) 7)).isEqualTo(number(7));
    assertThat(number(0.5f)).isEqualTo(number(0.5)).isEqualTo(number(new BigDecimal("0.5")));
    assertThat(number(BigInteger.TWO.pow(70)).settings().get("n"))
        .isEqualTo(BigInteger.TWO.pow(70));
  }

  @Test
  void refuses_what_json_cannot_say() {
    assertThatThrownBy(() -> number(Double.NaN))
        .hasMessageStartingWith("executor.n must be a finite number");
    assertThatThrownBy(() -> spec(Map.of("f", new Thread())))
        .hasMessage(
            "executor.f must be a string, a number, true or false, a list or a map, because JSON has"
                + " no other values, but was \"Thread\". Write it as a string, or leave it out.");
    Map<String, Object> withNull = new HashMap<>();
    withNull.put("x", null);
    assertThatThrownBy(() -> spec(Map.of("body", withNull)))
        .hasMessageStartingWith("executor.body.x must be a string");
    assertThatThrownBy(() -> spec(Map.of("body", Map.of(1, 2))))
        .hasMessageStartingWith("executor.body key must be");
  }

  @Test
  void is_bounded_in_depth_number_and_length() {
    Object deep = "bottom";
    for (int i = 0; i < 16; i++) {
      deep = List.of(deep);
    }
    Object tooDeep = deep;
    assertThatThrownBy(() -> spec(Map.of("x", tooDeep)))
        .hasMessageContaining("deeper than 16 levels");
    List<Integer> many = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      many.add(i);
    }
    assertThatThrownBy(() -> spec(Map.of("x", many))).hasMessageContaining("within 1000 values");
    assertThatThrownBy(() -> spec(Map.of("script", "x".repeat(131_072))))
        .hasMessageContaining("within 131072 characters");
  }

  @Test
  void names_its_type_plainly() {
    assertThat(ExecutorSpec.local("send-invoice").settings())
        .isEqualTo(Map.of("handler", "send-invoice"));
    assertThatThrownBy(() -> new ExecutorSpec("HTTP", Map.of()))
        .hasMessageStartingWith("executor.type must be 1 to 32");
    assertThatThrownBy(() -> ExecutorSpec.local(""))
        .hasMessageStartingWith("executor.handler must not be empty");
  }

  private static ExecutorSpec number(Number n) {
    return spec(Map.of("n", n));
  }

  private static ExecutorSpec spec(Map<String, Object> settings) {
    return new ExecutorSpec("http", settings);
  }
}
