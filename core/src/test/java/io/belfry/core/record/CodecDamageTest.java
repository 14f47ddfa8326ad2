package io.belfry.core.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.model.job.Payload;
import io.belfry.testkit.Seeds;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CodecDamageTest {
  static final List<Kind<?>> KINDS = Kind.ALL;

  @ParameterizedTest
  @FieldSource("KINDS")
  <R> void what_is_cut_anywhere_is_refused(Kind<R> kind) {
    Seeds.each(4, random -> {
      byte[] whole = kind.anyEncoded(random);
      for (int length = 0; length < whole.length; length++) {
        if (isRead(kind, Arrays.copyOf(whole, length))) {
          throw new AssertionError("was read although cut at " + length + " of " + whole.length);
        }
      }
    });
  }

  @ParameterizedTest
  @FieldSource("KINDS")
  <R> void what_was_changed_at_random_is_refused_or_a_record(Kind<R> kind) {
    Seeds.each(1500, random -> readsOrRefuses(kind, mutated(random, kind.anyEncoded(random))));
  }

  @ParameterizedTest
  @FieldSource("KINDS")
  <R> void noise_is_refused_or_a_record(Kind<R> kind) {
    Seeds.each(1000, random -> {
      byte[] noise = new byte[1 + random.nextInt(200)];
      random.nextBytes(noise);
      noise[0] = 1;
      readsOrRefuses(kind, noise);
    });
  }

  @ParameterizedTest
  @FieldSource("KINDS")
  <R> void a_lying_length_anywhere_takes_no_memory(Kind<R> kind) {
    byte[] twoGigabytes = {-1, -1, -1, -1, 7};
    byte[] nearlyAll = {-1, -1, -1, -1, -1, -1, -1, -1, 127};
    byte[] minusOne = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    Seeds.each(2, random -> {
      byte[] whole = kind.anyEncoded(random);
      for (int at = 1; at < whole.length; at++) {
        readsOrRefuses(kind, spliced(whole, at, twoGigabytes));
        readsOrRefuses(kind, spliced(whole, at, nearlyAll));
        readsOrRefuses(kind, spliced(whole, at, minusOne));
      }
    });
  }

  /** Plainly, because it is asked for every byte. */
  private static boolean isRead(Kind<?> kind, byte[] bytes) {
    try {
      Object unused = kind.decode().apply(bytes);
      return true;
    } catch (DamagedRecordException e) {
      return false;
    }
  }

  private static <R> void readsOrRefuses(Kind<R> kind, byte[] bytes) {
    R read;
    try {
      read = kind.decode().apply(bytes);
    } catch (DamagedRecordException e) {
      assertThat(e).hasMessageContaining("upgrade all nodes, or restore");
      return;
    }
    assertThat(kind.decode().apply(kind.encode().apply(read))).isEqualTo(read);
  }

  private static byte[] mutated(RandomGenerator random, byte[] whole) {
    byte[] bytes = whole;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      byte any = (byte) random.nextInt();
      bytes = switch (random.nextInt(5)) {
        case 0 -> replaced(bytes, at, any);
        case 1 -> replaced(bytes, at, (byte) (bytes[at] ^ (1 << random.nextInt(8))));
        case 2 -> replaced(bytes, at, (byte) (bytes[at] + (any & 1) * 2 - 1));
        case 3 -> spliced(bytes, at, new byte[] {any, bytes[at]});
        default -> bytes.length > 1 ? spliced(bytes, at, new byte[0]) : bytes;
      };
    }
    return bytes;
  }

  private static byte[] replaced(byte[] bytes, int at, byte by) {
    byte[] copy = bytes.clone();
    copy[at] = by;
    return copy;
  }

  /** With the byte at the place replaced by others. */
  private static byte[] spliced(byte[] bytes, int at, byte[] by) {
    return ByteBuffer.allocate(bytes.length - 1 + by.length)
        .put(bytes, 0, at)
        .put(by)
        .put(bytes, at + 1, bytes.length - at - 1)
        .array();
  }

  @Nested
  class Refuses {

    @Test
    void another_version_and_says_what_to_do() {
      byte[] bytes = Records.encode(NamespaceSettings.DEFAULT);
      bytes[0] = 2;
      assertThatExceptionOfType(DamagedRecordException.class)
          .isThrownBy(() -> Records.namespaceSettings(bytes))
          .withMessage("the namespace settings record of " + bytes.length
              + " bytes cannot be read at byte 1: format version 2 where 1 is supported. This record was"
              + " written by a newer Belfry or is damaged: upgrade all nodes, or restore it from a"
              + " backup.");
    }

    @Test
    void settings_nested_without_end() {
      refusesTask("nested deeper", out -> settings(out, 100_000, 5));
      refusesTask("nested deeper", out -> settings(out, 65, 5));
      refusesTask("must not be nested deeper than 16", out -> settings(out, 20, 5));
      refusesTask("unknown tag 8", out -> settings(out, 1, 8));
    }

    @Test
    void a_payload_that_would_inflate_beyond_the_limit() {
      byte[] bomb = deflated(new byte[Payload.HIGHEST_LIMIT + 1]);
      refusesRequest(
          "would inflate to " + (Payload.HIGHEST_LIMIT + 1),
          out -> payload(out, Payload.HIGHEST_LIMIT + 1, bomb));
      refusesRequest("does not inflate to", out -> payload(out, Payload.HIGHEST_LIMIT, bomb));
      refusesRequest("would inflate to -1", out -> payload(out, -1, bomb));
      refusesRequest(
          "would inflate to " + Payload.HIGHEST_LIMIT,
          out -> payload(out, Payload.HIGHEST_LIMIT, new byte[9]));
    }

    @Test
    void a_deflated_payload_that_is_not_what_it_says() {
      byte[] thousand = deflated(new byte[1000]);
      refusesRequest("does not inflate to", out -> payload(out, 999, thousand));
      refusesRequest("does not inflate to", out -> payload(out, 1001, thousand));
      refusesRequest("does not inflate to", out -> payload(out, 1000, Arrays.copyOf(thousand, 8)));
      refusesRequest("cannot be inflated", out -> payload(out, 10, "no deflate".getBytes(UTF_8)));
    }

    @Test
    void text_that_is_not_utf_8() {
      refusesRequest("not UTF-8", out -> {
        out.number(2 << 1);
        out.bytes(ByteBuffer.wrap(new byte[] {(byte) 0xc3, 'x'}));
      });
    }

    @Test
    void flags_that_nobody_knows() {
      refusesRequest("the flags 0x4", out -> payloadFlags(out, 4));
    }

    private static void payloadFlags(Writer out, int flags) {
      out.text("by");
      out.instant(Instant.EPOCH);
      out.number(0);
      out.number(0);
      out.text("task");
      out.flag(true);
      out.number(flags);
    }

    private static void payload(Writer out, long plain, byte[] stored) {
      payloadFlags(out, 2);
      out.number(plain);
      out.number(stored.length);
      out.bytes(ByteBuffer.wrap(stored));
    }

    private static byte[] deflated(byte[] plain) {
      var deflater = new Deflater(1);
      deflater.setInput(plain);
      deflater.finish();
      byte[] bytes = new byte[plain.length];
      int length = deflater.deflate(bytes);
      deflater.end();
      return Arrays.copyOf(bytes, length);
    }

    private static void refusesRequest(String why, Consumer<Writer> content) {
      byte[] bytes = record(content);
      assertThatExceptionOfType(DamagedRecordException.class)
          .isThrownBy(() -> Records.request(bytes))
          .withMessageContaining(why);
    }

    private static void refusesTask(String why, Consumer<Writer> content) {
      byte[] bytes = record(content);
      assertThatExceptionOfType(DamagedRecordException.class)
          .isThrownBy(() -> Records.task(bytes))
          .withMessageContaining(why);
    }

    private static byte[] record(Consumer<Writer> content) {
      Writer out = new Writer();
      out.number(1);
      content.accept(out);
      return out.done();
    }

    /** The work of a task, whose executor's one setting is lists within lists. */
    private static void settings(Writer out, int depth, int tag) {
      int begun = out.begin();
      out.number(1 << 6);
      out.text("name");
      out.text("type");
      out.number(1);
      out.text("key");
      for (int i = 0; i < depth; i++) {
        out.number(tag);
        out.number(1);
      }
      out.number(3);
      out.end(begun);
    }
  }
}
