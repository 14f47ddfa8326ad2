package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.store.Entry;
import io.belfry.store.LogLimiter;
import io.belfry.testkit.ManualTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** However many records are damaged, the log stays readable. */
class SafeDecoderTest {
  private static final byte[] DAMAGED = {(byte) 0xff, (byte) 0xff, (byte) 0xff};

  @Test
  void a_record_that_cannot_be_read_is_passed_over() {
    var entry = new Entry(Keys.request("a"), DAMAGED, 1);
    assertThat(SafeDecoder.read(entry, each -> Records.request(each.value()))).isEmpty();
  }

  @Test
  void of_ten_thousand_damaged_records_of_a_space_a_few_are_logged() {
    var limit = LogLimiter.everyMinute(new ManualTime(Instant.EPOCH));
    int logged = 0;
    for (int i = 0; i < 10_000; i++) {
      logged += SafeDecoder.log(limit, Keys.rollupBatch(i), new IllegalStateException("on purpose"))
          ? 1
          : 0;
    }
    assertThat(logged).isBetween(1, SafeDecoder.LINES);
    assertThat(SafeDecoder.log(limit, Keys.queue("other"), new IllegalStateException("on purpose")))
        .as("another space has its own lines")
        .isTrue();
  }
}
