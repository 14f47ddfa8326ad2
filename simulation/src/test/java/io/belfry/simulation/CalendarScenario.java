package io.belfry.simulation;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/**
 * Somebody takes this very day out of calendars and puts it back, while jobs go by them and everything else goes wrong, too. In the end
 * the day counts, and every job fires on it.
 */
final class CalendarScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(20);
  private static final Duration LAST_EDIT = Duration.ofSeconds(36);
  private static final Duration SETTLED = Duration.ofSeconds(3);
  private static final Duration UP_TO_DATE = Duration.ofSeconds(50);
  private static final Duration LAST_ORDERS = Duration.ofSeconds(52);
  private static final Duration END = Duration.ofSeconds(75);
  private static final Duration AGAIN = Duration.ofMillis(400);

  /** Clocks that are behind begin the evening before. */
  private static final Days TODAY = new Days.Range(
      LocalDate.ofInstant(SimTime.BEGINNING, ZoneOffset.UTC).minusDays(1),
      LocalDate.ofInstant(SimTime.BEGINNING, ZoneOffset.UTC));

  private final EngineMode mode;

  CalendarScenario() {
    this(EngineMode.ETCD);
  }

  CalendarScenario(EngineMode mode) {
    this.mode = mode;
  }

  @Override
  public void accept(long seed) {
    var unused = run(seed);
  }

  CalendarLaw run(long seed) {
    var world = new World(seed, "ScenariosTest#jobs_fire_on_the_days_of_their_calendar");
    var simulation =
        new Simulation(world, mode, Set.of(), CoreScenario.DECODER, Set.of(Keys.INBOXES));
    var parts = new CoreParts(simulation);
    var fires = new FireLaw(simulation);
    if (mode == EngineMode.PLAIN) {
      simulation.cluster().add("one", process -> {
        parts.scheduler(process);
        parts.worker(process, 8, Script.mixed());
        new Client(process, world).start();
      });
    } else {
      simulation.cluster().add("s1", parts::scheduler);
      simulation.cluster().add("s2", parts::scheduler);
      simulation.cluster().add("w1", process -> parts.worker(process, 8, Script.mixed()));
      simulation.cluster().add("c", process -> new Client(process, world).start());
    }
    world.at(UP_TO_DATE.toNanos(), () -> {
      fires.checkFiring();
      fires.calendars().checkDone();
      checkFiring(simulation);
    });
    simulation.run(FaultPlan.all(mode), ElectionSettings.DEFAULT.lease(), STORM, END);
    return fires.calendars();
  }

  /** The day counts again: nobody waits for another one. */
  private static void checkFiring(Simulation simulation) {
    var tomorrow = SimTime.BEGINNING.plus(Duration.ofDays(1));
    simulation.engine().state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.CURSORS)) {
        var cursor = Records.cursor(slot.value());
        boolean waits = cursor.active() && cursor.next().isEmpty(); // for the end of a task
        if (!waits && cursor.next().filter(at -> at.isBefore(tomorrow)).isEmpty()) {
          throw simulation
              .world()
              .violation("I7 everything recovers", key + " waits for another day: " + cursor);
        }
      }
    });
  }

  private static final class Client {
    private final SimNode node;
    private final Loop loop;
    private final World world;
    private final Jobs jobs;
    private final Calendars calendars;

    Client(Cluster.Booted process, World world) {
      this.node = process.node();
      this.loop = node.loop();
      this.world = world;
      this.jobs = new Jobs(loop, process.store());
      this.calendars = new Calendars(loop, process.store());
    }

    void start() {
      put(
          calendar("base", true),
          () -> put(calendar("days", true), () -> {
            definitions().forEach(this::save);
            later(AGAIN, this::edit);
          }));
    }

    private static List<Job> definitions() {
      var days = Window.ALWAYS.on("days");
      return List.of(
          job("tick")
              .trigger(cron(Window.ALWAYS.on("base")))
              .overlap(OverlapPolicy.ALLOW)
              .build(),
          job("even")
              .trigger(new Trigger.Every(Duration.ofMillis(200), Trigger.Every.From.START, days))
              .overlap(OverlapPolicy.ALLOW)
              .missed(new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofMinutes(5), 20))
              .build(),
          job("rest")
              .trigger(new Trigger.Every(Duration.ofSeconds(1), Trigger.Every.From.END, days))
              .build());
    }

    private static JobBuilder job(String id) {
      return Job.named(id)
          .local("noop")
          .timeout(Duration.ofSeconds(4))
          .retry(
              RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(500)).withCap(Duration.ofSeconds(2)));
    }

    private static Trigger.Cron cron(Window window) {
      Trigger.Cron plain = (Trigger.Cron) Job.named("x")
          .local("noop")
          .cron("* * * * * *", ZoneOffset.UTC)
          .build()
          .trigger();
      return new Trigger.Cron(
          plain.expression(), plain.zone(), plain.dst(), plain.dialect(), window);
    }

    /** The first has the day or not; the second rests on it, and may say otherwise. */
    private static Calendar calendar(String name, boolean today) {
      Calendar all = Calendar.everyDay(name, ZoneOffset.UTC);
      Calendar on = name.equals("days") ? all.on("base") : all;
      return today ? on : on.excluding(TODAY);
    }

    private void put(Calendar calendar, Runnable then) {
      loop.onResult(
          calendars.put(calendar),
          saved -> then.run(),
          failure -> later(AGAIN, () -> put(calendar, then)));
    }

    private void save(Job job) {
      loop.onResult(
          jobs.get(job.id()),
          found -> {
            if (found.isEmpty() && world.now() < LAST_EDIT.toNanos()) {
              loop.onResult(jobs.put(job), saved -> {}, failure -> later(AGAIN, () -> save(job)));
            }
          },
          failure -> later(AGAIN, () -> save(job)));
    }

    private void later(Duration mean, Runnable step) {
      var unused = loop.after(Duration.ofNanos(node.random().nextLong(2 * mean.toNanos())), step);
    }

    private void edit() {
      if (world.now() >= LAST_EDIT.toNanos()) {
        // Not before the last edits have taken effect.
        var unused = loop.after(
            SETTLED,
            () -> put(calendar("base", true), () -> put(calendar("days", true), this::retire)));
        return;
      }
      later(Duration.ofMillis(500), this::edit);
      Job job = definitions().get(node.random().nextInt(3));
      switch (node.random().nextInt(8)) {
        case 0 -> ignored(jobs.put(job.edit().description("again").build()));
        case 1 -> ignored(jobs.enable(job.id(), node.random().nextBoolean()));
        case 2 ->
          loop.onResult(
              jobs.delete(job.id()),
              gone -> later(AGAIN, () -> save(job)),
              failure -> later(AGAIN, () -> save(job)));
        case 3 -> ignored(calendars.delete(node.random().nextBoolean() ? "days" : "base"));
        default ->
          ignored(calendars.put(calendar(
              node.random().nextBoolean() ? "days" : "base", node.random().nextBoolean())));
      }
    }

    private void ignored(CompletionStage<?> stage) {
      loop.onResult(stage, done -> {}, failure -> {});
    }

    /** All jobs are there and on; when the time has come, they are switched off for good. */
    private void retire() {
      for (Job job : definitions()) {
        enable(job.id(), true);
      }
      var unused = loop.after(
          LAST_ORDERS.minusNanos(Math.min(world.now(), LAST_ORDERS.toNanos() - 1)),
          () -> definitions().forEach(job -> enable(job.id(), false)));
    }

    private void enable(JobId job, boolean on) {
      loop.onResult(
          jobs.enable(job, on), done -> {}, failure -> later(AGAIN, () -> enable(job, on)));
    }
  }
}
