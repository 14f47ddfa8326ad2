package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The short form: real processes on real engines, each fault at least once, and nothing doubled or lost. Two runs go on at once. */
@Tag("alone")
class WitnessTest {
  private static final int JOBS = 20;
  private static final int TRIALS_MAX = 4;
  private static final Plan KILLS = Plan.of(JOBS, 160, List.of(Fault.F1), Duration.ofMillis(2500));

  /** Each run has about six processes, which start again and again: three runs at once would starve each other on two cores. */
  private static final Semaphore AT_ONCE = new Semaphore(2);

  @BeforeEach
  void begin() {
    AT_ONCE.acquireUninterruptibly();
  }

  @AfterEach
  void end() {
    AT_ONCE.release();
  }

  static List<Arguments> engines() {
    return List.of(
        Arguments.of("etcd", List.of(Fault.F1, Fault.F3, Fault.F10)),
        Arguments.of("redis", List.of(Fault.F2, Fault.F4, Fault.F14)),
        Arguments.of("embedded", List.of(Fault.F8, Fault.F12)),
        Arguments.of("mixed", List.of(Fault.F1, Fault.F2, Fault.F3, Fault.F4)));
  }

  @ParameterizedTest
  @Execution(CONCURRENT)
  @MethodSource("engines")
  void nothing_is_doubled_or_lost_by_any_fault(String engine, List<Fault> faults) {
    try (var trial = new Trial(engine, Shape.APART, 7)) {
      Trial.Outcome outcome = trial.run(Plan.of(JOBS, 300, faults, Duration.ofSeconds(2)));
      System.out.println("witness on " + engine + ": " + outcome.text());
      clean(outcome);
      assertThat(outcome.verdict().expected()).isGreaterThan(300);
      assertThat(outcome.struck()).as(outcome.text()).containsOnlyKeys(faults);
    }
  }

  @Test
  @Execution(CONCURRENT)
  void nothing_is_doubled_or_lost_when_processes_are_cut_off_and_the_engine_is_slow() {
    List<Fault> faults = List.of(Fault.F5, Fault.F11);
    try (var trial = new Trial("redis", Shape.APART, 5, Flaw.NONE, false, true)) {
      Trial.Outcome outcome = trial.run(Plan.of(10, 150, faults, Duration.ofSeconds(2)));
      System.out.println("witness behind proxies: " + outcome.text());
      clean(outcome);
      assertThat(outcome.struck()).as(outcome.text()).containsOnlyKeys(faults);
    }
  }

  /** With two nodes left and with one left something must fire, which the fault itself waits for. */
  @Test
  @Execution(CONCURRENT)
  void five_nodes_down_to_two_and_to_one_still_fire_and_nothing_is_doubled_or_lost() {
    try (var trial = new Trial("redis", Shape.together(5), 7)) {
      Trial.Outcome outcome =
          trial.run(Plan.of(10, 60, List.of(Fault.NODES), Duration.ofSeconds(2)));
      System.out.println("five nodes down to one: " + outcome.text());
      clean(outcome);
      assertThat(outcome.struck()).as(outcome.text()).containsKey(Fault.NODES);
      assertThat(outcome.restarts()).isGreaterThanOrEqualTo(4);
    }
  }

  private static void clean(Trial.Outcome outcome) {
    assertThat(outcome.verdict().clean()).as(outcome.text()).isTrue();
    assertThat(outcome.verdict().ran()).isEqualTo(outcome.verdict().expected());
  }

  /** Where a kill strikes is chance, so a run that strikes between two fires is followed by another. */
  @Test
  @Execution(CONCURRENT)
  void a_bug_that_loses_fires_when_a_process_is_killed_is_found() {
    List<Verdict> verdicts = new ArrayList<>();
    while (verdicts.size() < TRIALS_MAX && verdicts.stream().allMatch(Verdict::clean)) {
      try (var trial = new Trial("embedded", Shape.LONE, verdicts.size(), Flaw.CURSOR_FIRST)) {
        verdicts.add(trial.run(KILLS.settling(Duration.ofSeconds(5))).verdict());
      }
    }
    Verdict last = verdicts.getLast();
    assertThat(last.of(Flaw.CURSOR_FIRST.expected)).as(last.text()).isNotEmpty();
  }

  @Test
  @Execution(CONCURRENT)
  void without_the_bug_the_same_run_is_clean() {
    try (var trial = new Trial("embedded", Shape.LONE, 0)) {
      clean(trial.run(KILLS));
    }
  }
}
