package io.belfry.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.CommitObserver;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EmbeddedSettingsTest {
  private final EmbeddedSettings settings = EmbeddedSettings.of(Path.of("data"));

  @Test
  void what_is_not_said_has_a_default() {
    assertThat(settings)
        .isEqualTo(new EmbeddedSettings(
            Path.of("data"), 128 << 20, 100_000, 64 << 20, 64 << 20, CommitObserver.NONE));
  }

  @Test
  void a_bad_value_is_refused_with_its_reason_and_its_remedy() {
    assertThatThrownBy(() -> settings.memoryBytes(1000))
        .hasMessage(
            "memoryBytes must be at least 16 MiB, so that several write buffers fit, but was 1000."
                + " Raise it, or leave it at 128 MiB.");
    assertThatThrownBy(() -> settings.feed(0, 64 << 20)).hasMessageContaining("feedSteps");
    assertThatThrownBy(() -> settings.feed(10, 1000)).hasMessageContaining("feedBytes");
    assertThatThrownBy(() -> settings.roomBytes(-1)).hasMessageContaining("roomBytes");
  }
}
