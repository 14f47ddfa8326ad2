package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.TaskId;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The format, held fast. If one of these fails, data that is already stored would be read wrongly or not at all: take the change back,
 * or append at the end of the record, or raise the version and keep reading this one.
 */
class CodecGoldenTest {
  @Test
  void a_dedup_record_as_earlier_versions_wrote_it_and_with_its_end() {
    held(new DedupRecord(TaskId.parse("t"), 7), Records::encode, Records::dedup, "0100027407");
    var ends = new DedupRecord(TaskId.parse("t"), 7, 5);
    assertThat(Records.dedup(Records.encode(ends))).isEqualTo(ends);
  }

  @Test
  void a_task_with_a_submitter() {
    held(
        Samples.FRESH.withSubmitter(Optional.of("ci (4f2a91)")),
        Records::encode,
        Records::task,
        "011f00206e696768746c792d696e766f696365731873656e642d696e766f6963652001206e696768",
        "746c792d696e766f6963657380c8ddcd350103020000166369202834663261393129");
  }

  @Test
  void a_plain_task() {
    held(
        Samples.FRESH,
        Records::encode,
        Records::task,
        "011f00206e696768746c792d696e766f696365731873656e642d696e766f6963650001206e696768",
        "746c792d696e766f6963657380c8ddcd350103020000");
  }

  @Test
  void an_assigned_task() {
    held(
        Samples.ASSIGNED,
        Records::encode,
        Records::task,
        "011f00206e696768746c792d696e766f696365731873656e642d696e766f6963650001206e696768",
        "746c792d696e766f6963657380c8ddcd35010315011301e7a480808080200e77317e3766336109fa",
        "01");
  }

  @Test
  void a_task_with_everything() {
    held(
        Samples.rich(),
        Records::encode,
        Records::task,
        "019b01fe0308726963680868747470050675726c002e68747470733a2f2f6578616d706c652e6f72",
        "672fe99098026e01090278023fe0000000000000086c69737405020403066d617006010662696707",
        "0940000000000000000000077b2261223a317d0280cab5ee01100502003ff8000000000000a03800",
        "000508736c6f7701086469736b067373640607036401026b01087465616d0e62696c6c696e671f02",
        "0e6e696768746c79343031683435357662347065783576736b6e6b303834736e303271fb8fafa5fd",
        "d2b9c003ff93ebdc03edc7d1d7c7d2b9c003fa0103106f726465722d31372d0420031e070d190068",
        "0061006c00660020d83d0114746578742f706c61696e020102edc7d1d7c7d2b9c003fa0123066f70",
        "73266e6f206c6f6e676572206e656564656420c3bcedc7d1d7c7d2b9c003fa019701090201ffffff",
        "ffffffffff7f014c1b01e7a480808080200e77317e37663361edc7d1d7c7d2b9c003fa0100efc7d1",
        "d7c7d2b9c003e9ec9a770120031e070d1900680061006c00660020d83d0114746578742f706c6169",
        "6e020102013b1b01e7a480808080200e77317e37663361edc7d1d7c7d2b9c003fa0101f4c7d1d7c7",
        "d2b9c003edc7d1d7c7d2b9c003fa01021073746f7070696e67");
  }

  @Test
  void a_job() {
    held(
        Samples.job(),
        Records::encode,
        Records::job,
        "01206e696768746c792d696e766f69636573031473656e6473207468656d31011830203330203220",
        "2a202a202a1a4575726f70652f5a7572696368010200110d80c8ddcd3510686f6c69646179733c00",
        "1f00206e696768746c792d696e766f696365731873656e642d696e766f696365020501a038006402",
        "020001010007050100066f707380ea49000d0780c8ddcd3589c8ddcd35fa01");
  }

  @Test
  void a_cursor() {
    held(
        new Cursor(
            7,
            true,
            Optional.of(Samples.LATER),
            Optional.of(Samples.DUE),
            Optional.of(Samples.FIRE)),
        Records::encode,
        Records::cursor,
        "010f0789c8ddcd35fa0180c8ddcd3501206e696768746c792d696e766f6963657380c8ddcd35");
  }

  @Test
  void a_term() {
    held(
        new Term(12, "n1~1", Samples.LATER, "set-1", 1L << 47),
        Records::encode,
        Records::term,
        "010c086e317e3189c8ddcd35fa010a7365742d3180808080808020");
  }

  @Test
  void a_node() {
    held(
        new NodeRecord(
            "n1~1",
            Set.of(NodeRecord.Role.SCHEDULER, NodeRecord.Role.WORKER),
            "host",
            "0.1",
            Samples.DUE,
            Samples.LATER,
            Optional.of(12L),
            Set.of(EventKind.TASK_SCHEDULED, EventKind.LEADER_CHANGED)),
        Records::encode,
        Records::node,
        "01086e317e310308686f737406302e3180c8ddcd3589c8ddcd35fa01010c8220");
  }

  @Test
  void a_batch_of_events() {
    held(
        new EventBatch(
            "n1~1",
            12,
            300,
            List.of(
                new Told.OfTask(EventKind.TASK_SCHEDULED, Samples.ASSIGNED),
                new Told.OfWorker(EventKind.WORKER_OFFLINE, "w1~7f3a"),
                new Told.Skipped(new JobId("nightly"), Samples.skipped()),
                new Told.Led(new Term(12, "n1~1", Samples.LATER, "set-1", 1L << 47)),
                new Told.Rejected(Samples.FIRE, 4711))),
        Records::encode,
        Records::eventBatch,
        "01086e317e310cac02055201501f00206e696768746c792d696e766f696365731873656e642d696e",
        "766f6963650001206e696768746c792d696e766f6963657380c8ddcd35010315011301e7a4808080",
        "80200e77317e3766336109fa01090b0e77317e3766336114070e6e696768746c790180c8ddcd3509",
        "fa012a071b0c0c086e317e3189c8ddcd35fa010a7365742d31808080808080201a0d01206e696768",
        "746c792d696e766f6963657380c8ddcd35e724");
  }

  @Test
  void a_worker() {
    held(
        Samples.worker(),
        Records::encode,
        Records::worker,
        "010e77317e376633610477311c3132372e302e302e313a3730373001086469736b06737364010873",
        "6c6f7702100380c8ddcd3589c8ddcd35fa01ac02193fd00000000000003fe0000000000000412e84",
        "80000000000c02e724808080808080808040");
  }

  @Test
  void a_worker_that_leaves() {
    held(
        Samples.worker(false, true),
        Records::encode,
        Records::worker,
        "010e77317e376633610477311c3132372e302e302e313a3730373001086469736b06737364010873",
        "6c6f7702100680c8ddcd3589c8ddcd35fa01ac02193fd00000000000003fe0000000000000412e84",
        "80000000000c02e724808080808080808040");
  }

  @Test
  void an_order_to_a_worker() {
    held(
        new WorkerOrder(true, Optional.of(5), "ops", Samples.LATER),
        Records::encode,
        Records::workerOrder,
        "01010105066f707389c8ddcd35fa01");
  }

  @Test
  void an_inbox() {
    held(
        Samples.inbox(),
        Records::encode,
        Records::inbox,
        "01025300501f00206e696768746c792d696e766f696365731873656e642d696e766f696365000120",
        "6e696768746c792d696e766f6963657380c8ddcd35010315011301e7a480808080200e77317e3766",
        "336109fa01633a0101206e696768746c792d696e766f6963657380c8ddcd35e7241f066f7073266e",
        "6f206c6f6e676572206e656564656420c3bc89c8ddcd35fa01");
  }

  @Test
  void reports() {
    held(
        new Reports(
            "w1/17", List.of(Samples.SUCCEEDED), List.of(new Told.Rejected(Samples.FRESH.id(), 7))),
        Records::encode,
        Records::reports,
        "010a77312f3137016b1f00206e696768746c792d696e766f696365731873656e642d696e766f6963",
        "651001206e696768746c792d696e766f6963657380c8ddcd35010306030100098e0229010000e7a4",
        "8080808020011c1301e7a480808080200e77317e3766336109fa010109fc01098e0200000101206e",
        "696768746c792d696e766f6963657380c8ddcd3507");
  }

  @Test
  void news() {
    held(
        new SubmittedTasks(List.of(Samples.FRESH)),
        Records::encode,
        Records::news,
        "01013d1f00206e696768746c792d696e766f696365731873656e642d696e766f6963650001206e69",
        "6768746c792d696e766f6963657380c8ddcd350103020000");
  }

  @Test
  void a_endedBatch() {
    held(
        new EndedBatch(true, List.of(Samples.SUCCEEDED)),
        Records::encode,
        Records::endedBatch,
        "01000100016b1f00206e696768746c792d696e766f696365731873656e642d696e766f6963651001",
        "206e696768746c792d696e766f6963657380c8ddcd35010306030100098e0229010000e7a4808080",
        "8020011c1301e7a480808080200e77317e3766336109fa010109fc01098e020000");
  }

  @Test
  void a_request_to_trigger() {
    held(
        new Request.Trigger(
            Samples.FIRE, Optional.of(Payload.json("[1]")), Optional.of("w1"), "me", Samples.LATER),
        Records::encode,
        Records::request,
        "01046d6589c8ddcd35fa010001206e696768746c792d696e766f6963657380c8ddcd350100035b31",
        "5d01047731");
  }

  @Test
  void a_request_to_cancel() {
    held(
        new Request.Cancel(Samples.FIRE, "why", "me", Samples.LATER),
        Records::encode,
        Records::request,
        "01046d6589c8ddcd35fa010101206e696768746c792d696e766f6963657380c8ddcd3506776879");
  }

  @Test
  void a_request_to_reprioritise() {
    held(
        new Request.Reprioritise(Samples.FIRE, Priority.LOW, "me", Samples.LATER),
        Records::encode,
        Records::request,
        "01046d6589c8ddcd35fa010201206e696768746c792d696e766f6963657380c8ddcd3500");
  }

  @Test
  void a_request_to_do_it_again() {
    held(
        new Request.Again(Samples.FIRE, Samples.PLAIN, Priority.LOW, "me", Samples.LATER),
        Records::encode,
        Records::request,
        "01046d6589c8ddcd35fa010301206e696768746c792d696e766f6963657380c8ddcd35001f00206e",
        "696768746c792d696e766f696365731873656e642d696e766f696365");
  }

  @Test
  void namespace_settings() {
    held(
        new NamespaceSettings(true, "random", 3, "why"),
        Records::encode,
        Records::namespaceSettings,
        "01010c72616e646f6d0306776879");
  }

  @Test
  void a_queue() {
    held(
        new QueueRecord(QueueRecord.Mode.PULL, true, 7),
        Records::encode,
        Records::queue,
        "01010107");
  }

  @Test
  void a_calendar() {
    LocalDate first = LocalDate.parse("2027-01-01");
    held(
        new Calendar(
                "office",
                ZoneId.of("Asia/Shanghai"),
                Calendar.Effect.EXCLUDE,
                List.of(),
                Optional.of("country"))
            .including(Days.MONDAY_TO_FRIDAY)
            .excluding(new Days.Dates(Set.of(first, first.plusDays(40))))
            .excluding(new Days.Range(first, first.plusDays(6)))
            .excluding(new Days.Yearly(Set.of(MonthDay.of(5, 1), MonthDay.of(12, 25)))),
        Records::encode,
        Records::calendar,
        "01010c6f66666963651a417369612f5368616e67686169010e636f756e747279040300001f07010102a6c50250060102a6c5020c0701030204010b19");
  }

  @Test
  void a_change_of_a_calendar() {
    held(
        new CalendarChange(Samples.LATER),
        Records::encode,
        Records::calendarChange,
        "0189c8ddcd35fa01");
  }

  @Test
  void an_offer() {
    held(
        new Offer(
            99, List.of(Map.of("disk", "ssd")), List.of(new Offer.Item(Samples.FIRE, 300, 0))),
        Records::encode,
        Records::offer,
        "01630101086469736b06737364011a01206e696768746c792d696e766f6963657380c8ddcd35ac0200");
  }

  @Test
  void an_outcome_to_follow() {
    held(Trigger.After.Outcome.SUCCEEDED, Records::encode, Records::outcome, "0100");
    held(Trigger.After.Outcome.FAILED, Records::encode, Records::outcome, "0101");
    held(Trigger.After.Outcome.FINISHED, Records::encode, Records::outcome, "0102");
  }

  @Test
  void fullness() {
    held(new Fullness(true, 5, 9), Records::encode, Records::fullness, "01010509");
  }

  @Test
  void what_is_counted_of_a_segment() {
    held(
        new SegmentCount(
            300,
            2,
            List.of(
                new SegmentCount.Piece("j", 9, 4, -1, 7), new SegmentCount.Piece("", 1, 1, 0, 0))),
        Records::encode,
        Records::segmentCount,
        "01d8040202",
        "026a0904010e",
        "0001010000");
  }

  @Test
  void how_far_history_is_forgotten() {
    held(new Forgotten(300), Records::encode, Records::forgotten, "01d804");
  }

  @Test
  void a_skipped_range() {
    held(Samples.skipped(), Records::encode, Records::skippedRange, "010180c8ddcd3509fa012a07");
  }

  @Test
  void a_cancel_request() {
    held(
        Samples.CANCEL,
        Records::encode,
        Records::cancelRequest,
        "01066f7073266e6f206c6f6e676572206e656564656420c3bc89c8ddcd35fa01");
  }

  @Test
  void a_plain_fire_weighs_little() {
    assertThat(Records.encode(Samples.FRESH)).hasSizeLessThanOrEqualTo(62);
    assertThat(Records.encode(Samples.ASSIGNED)).hasSizeLessThanOrEqualTo(81);
    assertThat(Records.encode(Samples.SUCCEEDED)).hasSizeLessThanOrEqualTo(108);
  }

  static <R> void held(
      R value, Function<R, byte[]> encode, Function<byte[], R> decode, String... hex) {
    String golden = String.join("", hex);
    assertThat(HexFormat.of().formatHex(encode.apply(value))).isEqualTo(golden);
    assertThat(decode.apply(HexFormat.of().parseHex(golden))).isEqualTo(value);
  }
}
