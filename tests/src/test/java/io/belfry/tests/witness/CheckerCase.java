package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.Call.Answer;
import io.belfry.tests.witness.LedgerLine.What;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A small run that the checker judges: four fires, five seconds apart, and whatever a test adds. Threading: confined to one test. */
abstract class CheckerCase {
  static final Instant BEGIN = Instant.parse("2027-01-01T00:00:00Z");
  static final Rhythm FIVES =
      new Rhythm.Clockwork("*/5 * * * * *", ZoneOffset.UTC, Rhythms.ALL, Set.of(5, 10, 15, 20, 25));
  static final Promise PROMISE =
      new Promise("tick", FIVES, BEGIN, BEGIN.plusSeconds(1), second(22), second(23));
  static final String SUBMIT = "one-off";

  final List<LedgerLine> ledger = new ArrayList<>();
  final Map<String, List<Told.End>> ends = new HashMap<>();
  final Map<String, List<Told.Range>> skips = new HashMap<>();
  final Map<Long, List<String>> leaders = new HashMap<>();
  final List<String> unfinished = new ArrayList<>();
  final List<Call> calls = new ArrayList<>();
  final List<Strike> strikes = new ArrayList<>();
  final List<Outage> outages = new ArrayList<>();
  final List<Act> acts = new ArrayList<>();
  final List<Promise> others = new ArrayList<>();
  Promise promise = PROMISE;

  static Instant second(double number) {
    return BEGIN.plusMillis((long) (number * 1000));
  }

  static String fire(int second) {
    return "tick@" + second(second);
  }

  void ran(int second, long token) {
    ran(second, token, second + 0.1, second + 0.2);
  }

  void ran(int second, long token, double start, double end) {
    start(second, token, start, "w1~1");
    end(second, token, end, "w1~1");
    told(fire(second), Told.End.SUCCEEDED, token);
  }

  void start(int second, long token, double at, String worker) {
    ledger.add(Written.fire(What.START, second(second), token, second(at), worker));
  }

  void end(int second, long token, double at, String worker) {
    ledger.add(Written.fire(What.END, second(second), token, second(at), worker));
  }

  void stop(int second, long token, double at, String worker) {
    ledger.add(Written.fire(What.STOP, second(second), token, second(at), worker));
  }

  /** The job of the case is one of this policy. */
  void under(Policy policy) {
    promise =
        new Promise("tick", FIVES, policy, BEGIN, BEGIN.plusSeconds(1), second(22), second(23));
  }

  void skipped(int second, String reason) {
    skips
        .computeIfAbsent("tick", job -> new ArrayList<>())
        .add(new Told.Range(second(second), second(second), reason));
  }

  void told(String task, String state, long token) {
    ends.put(task, List.of(new Told.End(state, token)));
  }

  void allRan() {
    ran(5, 11);
    ran(10, 12);
    ran(15, 13);
    ran(20, 14);
  }

  /** Of the first fire, before the attempt that ran all through. */
  void firstBegan(double start, Optional<Double> end) {
    start(5, 7, start, "w2~1");
    end.ifPresent(at -> end(5, 7, at, "w2~1"));
  }

  void befell(String who, Outage.Kind kind, double from, double gone, double back) {
    outages.add(new Outage(who, kind, second(from), second(gone), second(back)));
  }

  void asked(
      Call.What what, String key, double due, Answer answer, Optional<String> task, double at) {
    calls.add(new Call(what, key, second(due), second(at), second(at + 0.01), answer, task));
  }

  void submitted(String key, double due, Answer answer) {
    asked(
        Call.What.SUBMIT,
        key,
        due,
        answer,
        answer == Answer.OK ? Optional.of(SUBMIT) : Optional.empty(),
        due);
  }

  void submitRan(String key, String task, double at) {
    ledger.add(Written.submit(What.START, key, task, 50, second(at)));
    ledger.add(Written.submit(What.END, key, task, 50, second(at + 0.1)));
    told(task, Told.End.SUCCEEDED, 50);
  }

  Verdict verdict() {
    return verdictUntil(second(60));
  }

  Verdict verdictUntil(Instant until) {
    return Checker.check(new Evidence(
        ledger::forEach,
        Stream.concat(Stream.of(promise), others.stream()).toList(),
        calls,
        new Told(ends, unfinished, skips, leaders),
        strikes,
        outages,
        acts,
        until,
        Bounds.USUAL.late(Duration.ofSeconds(2))));
  }

  void only(Kind kind) {
    Verdict verdict = verdict();
    for (Kind each : Kind.values()) {
      assertThat(verdict.of(each)).as(verdict.text()).hasSize(each == kind ? 1 : 0);
    }
  }

  Verdict clean() {
    Verdict verdict = verdict();
    assertThat(verdict.clean()).as(verdict.text()).isTrue();
    assertThat(verdict.ran()).isEqualTo(verdict.expected());
    return verdict;
  }
}
