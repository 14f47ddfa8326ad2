package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Job;
import io.belfry.model.job.Payload;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlainPayloadTest {
  private static final Payload LONG = Payload.json("\"" + "x".repeat(10_000) + "\"");

  private static byte[] encoded(Payload payload) {
    return Records.encode(Job.named("a").local("h", payload).build());
  }

  @Test
  void a_payload_is_deflated_unless_it_is_to_be_kept_as_it_is() {
    assertThat(encoded(LONG)).hasSizeLessThan(1000);
    assertThat(encoded(LONG.plain())).hasSizeGreaterThan(LONG.size());
    assertThat(LONG.plain()).isEqualTo(LONG);
  }

  @Test
  void what_was_kept_as_it_is_stays_so_when_it_is_read_and_written_again() {
    byte[] plain = encoded(LONG.plain());
    assertThat(Records.encode(Records.job(plain))).isEqualTo(plain);
    byte[] deflated = encoded(LONG);
    assertThat(Records.job(deflated).work().payload().isPlain()).isFalse();
    assertThat(Records.encode(Records.job(deflated))).isEqualTo(deflated);
  }

  @Test
  void what_cannot_become_shorter_is_not_tried_again() {
    byte[] noise = new byte[5000];
    new SplittableRandom(1).nextBytes(noise);
    byte[] kept = encoded(Payload.of("application/octet-stream", noise));
    assertThat(Records.job(kept).work().payload().isPlain()).isTrue();
  }
}
