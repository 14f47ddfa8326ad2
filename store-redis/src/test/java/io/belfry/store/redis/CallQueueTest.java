package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A commit that is refused for a moment never takes effect behind one that was asked after it. */
class CallQueueTest {
  private static final DataSetLife KNOWN = new DataSetLife(1, "ab", 0);
  private static final Verdict REFUSED =
      new Verdict.Again("LOADING for a moment", CallQueue.Remedy.RECONNECT);
  private static final Verdict DONE = new Verdict.Complete(List.of());

  private record Asked(Scripts verb) implements ScriptCall<String> {
    @Override
    public void arguments(List<byte[]> into) {}

    @Override
    public String read(List<?> reply) {
      return "done";
    }
  }

  private final CallQueue desk = new CallQueue(Time.system());
  private final Call<String> first = commit();
  private final Call<String> second = commit();

  private static Call<String> commit() {
    return new Call<>(new Asked(Scripts.COMMIT), Call.Effect.ONCE, null, Long.MAX_VALUE);
  }

  private static Call<String> read() {
    return new Call<>(new Asked(Scripts.GET), Call.Effect.READ, null, Long.MAX_VALUE);
  }

  /** On the wire, one behind the other. */
  private List<PendingAnswer.Asked> away(DataSetLife known, Call<?>... calls) {
    for (Call<?> each : calls) {
      desk.submit(each);
    }
    List<PendingAnswer.Asked> flights = ((CallQueue.Work.Send) desk.next(0, () -> known)).flights();
    flights.forEach(flight -> assertThat(desk.begins(flight)).isTrue());
    return flights;
  }

  private static void assertRefusedForGood(Call<?> call) {
    assertThat(call.answer()).isCompletedExceptionally();
    assertThat(call.answer().exceptionNow())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("LOADING for a moment");
  }

  private void assertAskedAgain(Call<?>... calls) {
    assertThat(desk.next(0, () -> KNOWN)).isInstanceOf(CallQueue.Work.Mend.class);
    assertThat(((CallQueue.Work.Send) desk.next(0, () -> KNOWN)).flights())
        .extracting(PendingAnswer.Asked::call)
        .containsExactly(calls);
  }

  @Test
  void what_was_refused_is_asked_again_in_its_order() {
    for (PendingAnswer.Asked each : away(KNOWN, first, second)) {
      desk.land(each, REFUSED);
    }
    assertAskedAgain(first, second);
  }

  @Test
  void not_once_a_later_one_was_carried_out() {
    List<PendingAnswer.Asked> flights = away(KNOWN, first, second);
    desk.land(flights.get(0), REFUSED);
    desk.land(flights.get(1), DONE);
    assertThat(second.answer()).isCompletedWithValue("done");
    assertRefusedForGood(first);
  }

  @Test
  void nor_once_a_later_one_waits_for_its_acknowledgement() {
    List<PendingAnswer.Asked> flights = away(new DataSetLife(1, "ab", 1), first, second);
    desk.land(flights.get(0), REFUSED);
    desk.land(flights.get(1), new Verdict.Hold(List.of()));
    assertRefusedForGood(first);
  }

  @Test
  void nor_once_a_later_one_failed_in_a_way_that_leaves_open_what_it_did() {
    List<PendingAnswer.Asked> flights = away(KNOWN, first, second);
    desk.land(flights.get(0), REFUSED);
    desk.land(flights.get(1), new Verdict.Fail(new StoreException.Unknown("on purpose", null)));
    assertRefusedForGood(first);
  }

  @Test
  void nor_once_the_answer_to_a_later_one_got_lost() {
    List<PendingAnswer.Asked> flights = away(KNOWN, first, second);
    desk.land(flights.getFirst(), REFUSED);
    desk.endSession("cut on purpose");
    assertThat(second.answer().exceptionNow()).isInstanceOf(StoreException.Unknown.class);
    assertRefusedForGood(first);
  }

  @Test
  void what_was_refused_behind_one_that_was_carried_out_is_asked_again() {
    List<PendingAnswer.Asked> flights = away(KNOWN, first, second);
    desk.land(flights.get(0), DONE);
    desk.land(flights.get(1), REFUSED);
    assertAskedAgain(second);
  }

  @Test
  void a_later_one_that_was_not_carried_out_either_keeps_nobody_back() {
    List<PendingAnswer.Asked> flights = away(KNOWN, first, second);
    desk.land(flights.get(0), REFUSED);
    desk.land(flights.get(1), new Verdict.Fail(new StoreException.Full("on purpose", null)));
    assertAskedAgain(first);
  }

  @Test
  void reads_keep_no_order() {
    Call<String> read = read();
    Call<String> later = read();
    List<PendingAnswer.Asked> flights = away(KNOWN, first, read, later);
    desk.land(flights.get(0), REFUSED);
    desk.land(flights.get(1), REFUSED);
    desk.land(flights.get(2), DONE);
    assertAskedAgain(first, read);
  }

  /** What is known changes while an answer is judged: nobody may leave with the news before those that were refused for lack of it. */
  @Test
  void nothing_leaves_from_when_a_refusal_is_seen_until_it_has_landed() {
    List<PendingAnswer.Asked> flights = away(KNOWN, first);
    desk.refusing(CallQueue.Remedy.AGAIN, "another epoch");
    desk.submit(second);
    assertThat(desk.next(0, () -> KNOWN)).isInstanceOf(CallQueue.Work.Nothing.class);
    desk.land(flights.getFirst(), new Verdict.Again("another epoch", CallQueue.Remedy.AGAIN));
    assertAskedAgain(first, second);
  }
}
