package io.belfry.core.record;

import static io.belfry.core.record.CodecGoldenTest.held;

import io.belfry.model.job.Payload;
import org.junit.jupiter.api.Test;

/** Like {@link CodecGoldenTest}, for progress, logs and late reports. */
class JournalGoldenTest {

  @Test
  void progress() {
    held(
        new Progress(0.25, "a quarter", Samples.LATER),
        Records::encode,
        Records::progress,
        "013fd00000000000001261207175617274657289c8ddcd35fa01");
  }

  @Test
  void the_head_of_a_log() {
    held(
        new LogHead(Samples.FIRE, 4711, 2, "w1~7f3a", Samples.LATER, 8, 300, 262_000, 7, true),
        Records::encode,
        Records::logHead,
        "0101206e696768746c792d696e766f6963657380c8ddcd35e724020e77317e3766336189c8ddcd35",
        "fa0108ac02f0fe0f0701");
  }

  @Test
  void a_piece_of_a_log() {
    held(
        new LogPiece(299, Payload.of(LogPiece.TYPE, new byte[] {65, 10})),
        Records::encode,
        Records::logPiece,
        "01ab020114746578742f706c61696e02410a");
  }

  @Test
  void a_late_report() {
    held(
        new LateReport(
            Samples.FIRE, 2, 4711, "w1~7f3a", Samples.LATER, LateReport.Said.SUCCEEDED, "done"),
        Records::encode,
        Records::lateReport,
        "0101206e696768746c792d696e766f6963657380c8ddcd3502e7240e77317e3766336189c8ddcd35",
        "fa010108646f6e65");
  }
}
