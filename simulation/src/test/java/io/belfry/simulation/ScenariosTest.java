package io.belfry.simulation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One question each: worlds in which one kind of trouble comes often. */
class ScenariosTest {
  private static final int SEEDS = Seeds.count(10);

  @Test
  void after_a_gap_everything_is_heard_of() {
    Seeds.run("gaps in watches", 1, SEEDS, new GapScenario());
  }

  @Test
  void a_lease_is_what_it_says() {
    Seeds.run("workers cut off", 1, SEEDS, new LeaseScenario());
  }

  @Test
  void what_a_worker_leaves_begins_elsewhere_in_time() {
    Seeds.run("workers that die and leave", 1, SEEDS, new ComingsScenario());
  }

  @Test
  void orders_to_workers_are_kept_and_obeyed() {
    Seeds.run("orders to workers", 1, SEEDS, seed -> new OrderScenario().accept(seed));
  }

  @Test
  void whoever_follows_ends_up_with_what_stands() {
    Seeds.run("following through failovers", 1, SEEDS, new FollowScenario());
  }

  @Test
  void each_acknowledged_change_is_a_generation() {
    Seeds.run("many changes of one job", 1, SEEDS, new EditScenario());
  }

  @ParameterizedTest
  @EnumSource(EngineMode.class)
  void jobs_fire_on_the_days_of_their_calendar(EngineMode mode) {
    Seeds.run("calendars that change", 1, SEEDS, new CalendarScenario(mode));
  }

  @Test
  void catching_up_keeps_to_its_rate_and_delays_nothing() {
    Seeds.run("catching up", 1, SEEDS, seed -> new CatchUpScenario().accept(seed));
  }

  @Test
  void an_instant_has_one_task_whoever_asks() {
    Seeds.run("instants that are asked for", 1, SEEDS, seed -> new InstantScenario().accept(seed));
  }

  @Test
  void each_end_leads_once_to_what_follows() {
    Seeds.run("jobs after others", 1, SEEDS, new AfterScenario());
  }

  @Test
  void a_queue_is_switched_under_its_tasks() {
    Seeds.run("push and pull", 1, SEEDS, new PullScenario());
  }

  @Test
  void what_had_no_room_is_claimed_later() {
    Seeds.run("a small and slow worker", 1, SEEDS, new ScarceScenario());
  }

  @Test
  void a_rate_holds_whoever_leads() {
    Seeds.run("rates and leaders that do not last", 1, SEEDS, new RateScenario());
  }

  @Test
  void whose_clock_is_off_does_not_lead() {
    Seeds.run("a wrong clock", 1, SEEDS, new ClockScenario());
  }

  @Test
  void what_was_lost_in_silence_is_found() {
    Seeds.run("words lost in silence", 1, SEEDS, new SilenceScenario());
  }

  @ParameterizedTest
  @EnumSource(names = {"ETCD", "REDIS"})
  void an_engine_that_loses_a_moment_breaks_nobody(EngineMode mode) {
    Seeds.run("acknowledged steps lost", 1, SEEDS, seed -> new LossScenario(mode).accept(seed));
  }

  @ParameterizedTest
  @EnumSource(names = {"ETCD", "REDIS"})
  void a_refusal_by_the_engine_is_an_outage_and_never_an_end(EngineMode mode) {
    Seeds.run("an engine that refuses", 1, SEEDS, new RefusalScenario(mode));
  }

  @Test
  void whoever_is_busy_acts_on_no_stale_belief() {
    Seeds.run("steps that take longer than a lease", 1, SEEDS, new BusyScenario());
  }

  @Test
  void payloads_and_results_as_large_as_they_may_be() {
    Seeds.run("large payloads and results", 1, Seeds.count(4), new HeavyScenario());
  }

  @Test
  void sixty_days_keep_every_bound() {
    Seeds.run("sixty days", 1, Seeds.count(2), new LongScenario());
  }

  @Test
  void what_has_no_room_is_refused_for_good() {
    Seeds.run("an engine without room", 1, SEEDS, new RoomScenario());
  }

  @Test
  void a_job_that_skips_runs_alone() {
    Seeds.run("jobs that skip, and leaders that miss answers", 1, SEEDS, new AloneScenario());
  }

  @Test
  void a_clock_that_was_just_set_decides_nothing() {
    Seeds.run("a clock that is set", 1, SEEDS, new SetClockScenario());
  }

  @Test
  void events_come_in_order_from_one_leader_at_a_time() {
    Seeds.run("events", 1, SEEDS, new EventScenario());
  }

  @Test
  void what_is_kept_is_kept_once_and_never_made_again() {
    Seeds.run("small segments, and segments that are forgotten", 1, SEEDS, new RetainScenario());
  }
}
