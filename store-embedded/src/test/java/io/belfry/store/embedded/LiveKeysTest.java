package io.belfry.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Revision;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LiveKeysTest {
  private final KeyedHash hash = new KeyedHash(12345);
  private final LiveKeys live = new LiveKeys();

  @Test
  void it_knows_what_a_map_would_know() {
    Random random = Seeds.random("LiveKeysTest");
    Map<String, Long> expected = new HashMap<>();
    for (int i = 1; i <= 300_000; i++) {
      String name = "key-" + random.nextInt(20_000);
      if (random.nextInt(3) == 0) {
        expected.remove(name);
        live.remove(name.getBytes(UTF_8), hashOf(name));
      } else {
        expected.put(name, (long) i);
        live.put(name.getBytes(UTF_8), hashOf(name), i);
      }
    }
    assertThat(live.size()).isEqualTo(expected.size());
    for (int i = 0; i < 20_000; i++) {
      String name = "key-" + i;
      assertThat(live.revision(name.getBytes(UTF_8), hashOf(name)))
          .as(name)
          .isEqualTo(expected.getOrDefault(name, Revision.NONE));
    }
  }

  @Test
  void names_with_the_same_hash_are_told_apart() {
    for (int i = 1; i <= 500; i++) {
      live.put(("same-" + i).getBytes(UTF_8), 7, i);
    }
    for (int i = 1; i <= 500; i += 2) {
      live.remove(("same-" + i).getBytes(UTF_8), 7);
    }
    for (int i = 1; i <= 500; i++) {
      assertThat(live.revision(("same-" + i).getBytes(UTF_8), 7)).isEqualTo(i % 2 == 0 ? i : 0);
    }
  }

  @Test
  void a_million_keys_take_less_than_ninety_megabytes_also_after_much_coming_and_going() {
    for (int i = 0; i < 3_000_000; i++) {
      byte[] name = thirtyBytes(i);
      live.put(name, hash.of(name), i + 1);
      if (i >= 1_000_000) {
        byte[] old = thirtyBytes(i - 1_000_000);
        live.remove(old, hash.of(old));
      }
    }
    assertThat(live.size()).isEqualTo(1_000_000);
    System.out.println("LiveKeys: " + live.bytes() / live.size() + " bytes per key");
    assertThat(live.bytes()).isLessThan(90_000_000);
  }

  private static byte[] thirtyBytes(int i) {
    return ByteBuffer.allocate(30).putInt(26, i).array();
  }

  private long hashOf(String name) {
    return hash.of(name.getBytes(UTF_8));
  }
}
