package io.belfry.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PayloadTest {
  private static final String BINARY = "application/octet-stream";

  @Test
  void carries_text_and_bytes_unchanged() {
    assertThat(Payload.json("{\"ä\":\"发票\"}").text()).isEqualTo("{\"ä\":\"发票\"}");
    assertThat(Payload.of(BINARY, new byte[] {0, -1, 7}).bytes()).containsExactly(0, -1, 7);
  }

  @Test
  void cannot_be_changed_from_outside() {
    byte[] given = {1, 2};
    Payload payload = Payload.of(BINARY, given);
    given[0] = 9;
    payload.bytes()[1] = 9;
    assertThat(payload.bytes()).containsExactly(1, 2);
  }

  @Test
  void equals_by_content_and_type() {
    assertThat(Payload.json("1")).isEqualTo(Payload.json("1")).hasSameHashCodeAs(Payload.json("1"));
    assertThat(Payload.json("1"))
        .isNotEqualTo(Payload.json("2"))
        .isNotEqualTo(Payload.of(BINARY, new byte[] {'1'}));
  }

  @Test
  void weighs_at_most_256_KiB_unless_configured() {
    assertThat(Payload.of(BINARY, new byte[256 * 1024]).size()).isEqualTo(262_144);
    assertThatThrownBy(() -> Payload.of(BINARY, new byte[256 * 1024 + 1]))
        .hasMessage("payload must have at most 262144 bytes, because it is sent with every attempt,"
            + " but was 262145 bytes. Store the data elsewhere and pass its address.");
    assertThat(Payload.of(BINARY, new byte[300_000], 300_000).size()).isEqualTo(300_000);
    assertThatThrownBy(() -> Payload.of(BINARY, new byte[1], 2_000_000))
        .hasMessageStartingWith("payload.limit");
  }

  @Test
  void does_not_show_its_content_in_logs() {
    assertThat(Payload.json("{\"password\":\"x\"}"))
        .hasToString("Payload[application/json, 16 bytes]");
    assertThat(Payload.EMPTY.isEmpty()).isTrue();
  }

  @Test
  void a_view_shows_the_bytes_and_lets_nobody_change_them() {
    ByteBuffer view = Payload.json("{}").view();
    assertThat(view.isReadOnly()).isTrue();
    assertThat(view).isEqualTo(ByteBuffer.wrap(new byte[] {'{', '}'}));
  }

  @Test
  void a_copy_of_a_buffer_is_its_own_and_bounded() {
    byte[] source = {'x', '{', '}'};
    Payload payload = Payload.copyOf(Payload.JSON, ByteBuffer.wrap(source, 1, 2));
    source[1] = '[';
    assertThat(payload).isEqualTo(Payload.json("{}"));
    assertThatThrownBy(
            () -> Payload.copyOf(Payload.JSON, ByteBuffer.allocate(Payload.HIGHEST_LIMIT + 1)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining(Payload.HIGHEST_LIMIT + 1 + " bytes");
  }

  @Test
  void what_is_kept_deflated_is_the_same_to_everybody() {
    byte[] bytes = "0123456789".repeat(10_000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    var deflater = new java.util.zip.Deflater();
    byte[] small = new byte[bytes.length];
    deflater.setInput(bytes);
    deflater.finish();
    int length = deflater.deflate(small);
    deflater.end();
    Payload kept = Payload.deflated(Payload.JSON, ByteBuffer.wrap(small, 0, length), bytes.length);
    Payload given = Payload.of(Payload.JSON, bytes);
    assertThat(kept).isEqualTo(given).hasSameHashCodeAs(given).hasToString(given.toString());
    assertThat(given).isEqualTo(kept);
    assertThat(kept.bytes()).isEqualTo(bytes);
    assertThat(kept.view()).isEqualTo(ByteBuffer.wrap(bytes));
    assertThat(kept.size()).isEqualTo(bytes.length);
    assertThat(kept.kept()).isEqualTo(length).isLessThan(1000);
    assertThat(kept.plain().isPlain()).isTrue();
    assertThat(kept.plain().deflated()).isEmpty();
    assertThat(kept.plain()).isEqualTo(given);
  }
}
