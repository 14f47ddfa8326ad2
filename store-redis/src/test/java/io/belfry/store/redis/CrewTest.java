package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.InheritedThreads;
import org.junit.jupiter.api.Test;

class CrewTest {
  @Test
  void its_threads_inherit_nothing_from_whoever_needs_them_first() throws Exception {
    try (var crew = new Crew("test")) {
      assertThat(InheritedThreads.of(() -> {
            crew.join(crew.start("role", () -> {}));
            return null;
          }))
          .isEmpty();
    }
  }
}
