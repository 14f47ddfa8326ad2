package io.belfry.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.belfry.model.time.Time;
import io.belfry.testkit.PrivateFile;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.FaultProxy;
import io.belfry.testkit.engine.RedisSentinels;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.ServerProcess;
import io.belfry.testkit.engine.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/**
 * A server under load, whose connections to its engine are reset, stalled and swallowed for a minute: it never gets stuck, loses
 * nothing it acknowledged, says throughout whether it is ready, and logs what happened. The engines are tested at the same time:
 * most of that time is waiting.
 *
 * <pre>
 *   callers ──batches──▶ server ──▶ FaultProxy (breaks at random bytes) ──▶ TcpProxy (holds all) ──▶ engine
 *                          └──calls──▶ CountingService
 * </pre>
 */
@Tag("alone")
class EngineCutsTest {
  private static final Time TIME = Time.system();
  private static final long SEED = Long.getLong("belfry.seed", 12);
  private static final int JOBS = 50;
  /** Together a minute. */
  private static final Duration RESETS = Duration.ofSeconds(25);

  private static final Duration RANDOM_FAULTS = Duration.ofSeconds(28);
  private static final Duration HELD = Duration.ofSeconds(7);
  private static final Duration NOTICED = Duration.ofSeconds(5);
  private static final Duration FLOWS = Duration.ofSeconds(15);
  private static final Duration DRAINED = Duration.ofSeconds(60);
  /** The promise is a second; the load of this test is on the same machine. */
  private static final Duration ANSWERED = Duration.ofSeconds(3);

  /** With the load of this test several batches of commits are on their way whenever a connection breaks. */
  private static final FaultProxy.Mix EVERY_400_KB = FaultProxy.Mix.resetsAfter(400_000);

  private static final FaultProxy.Mix MIX =
      new FaultProxy.Mix(20, 4, 800 << 10, 256 << 10, Duration.ofMillis(500), false);

  @Test
  @Execution(CONCURRENT)
  void on_redis() {
    try (RedisServer redis = RedisServer.start();
        TcpProxy wire = TcpProxy.to(redis.port());
        FaultProxy faults = FaultProxy.to(wire.port(), SEED, EVERY_400_KB)) {
      underCuts("redis", "redis://127.0.0.1:" + faults.port(), faults, wire);
    }
  }

  @Test
  @Execution(CONCURRENT)
  void on_redis_behind_sentinels() {
    try (RedisSentinels sentinels = RedisSentinels.start();
        TcpProxy wire = TcpProxy.to(sentinels.first().port());
        FaultProxy faults = FaultProxy.to(wire.port(), SEED, EVERY_400_KB)) {
      sentinels.leadFirstThrough(faults.port());
      underCuts("sentinel", sentinels.uri(), faults, wire);
    }
  }

  @Test
  @Execution(CONCURRENT)
  void on_etcd() {
    try (EtcdServer etcd = EtcdServer.start();
        TcpProxy wire = TcpProxy.to(etcd.port());
        FaultProxy faults = FaultProxy.to(wire.port(), SEED, EVERY_400_KB)) {
      underCuts("etcd", "etcd://127.0.0.1:" + faults.port(), faults, wire);
    }
  }

  private static void underCuts(String engine, String store, FaultProxy faults, TcpProxy wire) {
    Path token = tokenFile();
    try (CountingService service = new CountingService();
        Rest rest = new Rest(Trio.TOKEN);
        ServerNode server = ServerNode.launch(
            "server",
            "cuts-" + engine,
            Map.of("BELFRY_ADMIN_TOKEN_FILE", token.toString()),
            List.of("--store", store, "--port", "0", "--set", "worker.capacity=200"))) {
      server.awaitReady();
      String url = server.url();
      await("ready").atMost(DRAINED).until(() -> rest.get(url + "/readyz").status() == 200);
      saveJobs(rest, url, service.url());
      await("fires").atMost(DRAINED).until(() -> service.total() > JOBS);
      var watch = new ReadyWatch(TIME, rest, url, service::total);
      var callers = new BatchCallers(rest, url, service.url(), SEED);
      try (watch;
          callers) {
        resets(engine, faults, service, callers);
        callers.submit(BatchCallers.Batch.MIXED);
        faults.beginFaults(MIX);
        awaitPassed(RANDOM_FAULTS);
        faults.endFaults();
        hold(wire, watch);
        flows(engine, rest, url, service, callers);
      }
      judge(engine, faults, server, service, watch, callers);
      worksAlone(rest, url, service);
    } finally {
      delete(token);
    }
  }

  /** Between two resets there is room for a few batches: some are acknowledged, and jobs fire. */
  private static void resets(
      String engine, FaultProxy faults, CountingService service, BatchCallers callers) {
    long before = service.total();
    faults.beginFaults(EVERY_400_KB);
    awaitPassed(RESETS);
    System.out.printf(
        "%s: %d resets, %d tasks acknowledged, %d calls meanwhile%n",
        engine, faults.cuts(), callers.acknowledged().size(), service.total() - before);
    assertThat(faults.cuts()).as("resets").isGreaterThan(10);
    assertThat(callers.acknowledged()).as("acknowledged between resets").isNotEmpty();
    assertThat(service.total()).as("calls of fires between resets").isGreaterThan(before);
  }

  /** A blackhole: nothing passes, nothing breaks. */
  private static void hold(TcpProxy wire, ReadyWatch watch) {
    long held = TIME.nanos();
    wire.holdAll();
    await("not ready while nothing passes")
        .atMost(NOTICED.plus(ANSWERED))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> watch.last().atNanos() > held && !watch.last().ready());
    awaitPassed(HELD.minusNanos(Math.min(HELD.toNanos() - 1, TIME.nanos() - held)));
    wire.cut();
    wire.mend();
  }

  private static void flows(
      String engine, Rest rest, String url, CountingService service, BatchCallers callers) {
    long cut = TIME.nanos();
    int acknowledged = callers.acknowledged().size();
    Set<String> before = service.tasks();
    await("everything flows again after the last cut")
        .atMost(FLOWS)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          Rest.Reply ready = rest.get(url + "/readyz");
          assertThat(ready.status()).as("/readyz: %s", ready.body()).isEqualTo(200);
          assertThat(callers.acknowledged()).as("acknowledged").hasSizeGreaterThan(acknowledged);
          assertThat(freshJobs(service, before)).as("jobs that fired since").isEqualTo(JOBS);
        });
    System.out.printf("%s: flows again after %d ms%n", engine, (TIME.nanos() - cut) / 1_000_000);
  }

  /** Jobs that fired something since. */
  private static long freshJobs(CountingService service, Set<String> before) {
    var jobs = new HashSet<String>();
    service.tasks().stream()
        .filter(task -> task.startsWith("f-") && !before.contains(task))
        .forEach(task -> jobs.add(task.substring(0, task.indexOf('@'))));
    return jobs.size();
  }

  private static void judge(
      String engine,
      FaultProxy faults,
      ServerNode server,
      CountingService service,
      ReadyWatch watch,
      BatchCallers callers) {
    List<String> acknowledged = callers.acknowledged();
    await("every acknowledged task and every due instant was carried out")
        .atMost(DRAINED)
        .untilAsserted(() -> {
          assertThat(missing(acknowledged, service)).isEmpty();
          assertThat(gaps(service)).isEmpty();
        });
    System.out.printf(
        "%s: seed %d, %d cuts; %d tasks acknowledged, %d refused; %d calls, %d tasks run by several attempts; ready in %d of %d answers,"
            + " the slowest took %d ms%n",
        engine,
        SEED,
        faults.cuts(),
        acknowledged.size(),
        callers.refused(),
        service.total(),
        service.reruns(),
        watch.all().stream().filter(ReadyWatch.Said::ready).count(),
        watch.all().size(),
        watch.slowest().toMillis());
    assertThat(acknowledged).as("acknowledged ids").doesNotHaveDuplicates().isNotEmpty();
    assertThat(service.repeated()).as("attempts that called twice").isEmpty();
    assertThat(watch.untrue(NOTICED.plusSeconds(2)))
        .as("ready all the time, for longer than it may take to notice that nothing is done")
        .isEmpty();
    assertThat(watch.slowest()).as("the slowest answer of /readyz").isLessThan(ANSWERED);
    assertThat(server.process().log())
        .contains("Belfry cannot write to the ")
        .contains("Belfry can write to the ");
  }

  /** Under load, commits that were lost may be hidden by those that follow them. One submit in quiet has nothing to follow it. */
  private static void worksAlone(Rest rest, String url, CountingService service) {
    for (int i = 0; i < JOBS; i++) {
      Rest.Reply disabled = rest.post(url + Rest.NS + "/jobs/f-" + i + "/disable", "");
      assertThat(disabled.isFine()).as("disable: %s", disabled).isTrue();
    }
    Rest.Reply submitted = rest.post(url + Rest.NS + "/tasks", """
        [{"id": "alone", "executor": {"type": "http", "url": "%s"}}]""".formatted(service.url()));
    assertThat(submitted.isFine()).as("submit: %s", submitted).isTrue();
    await("the task runs").atMost(NOTICED).until(() -> service.tasks().contains("alone"));
  }

  private static List<String> missing(List<String> acknowledged, CountingService service) {
    Set<String> called = service.tasks();
    return acknowledged.stream().filter(id -> !called.contains(id)).toList();
  }

  /** Every job fires once a second and makes up for all it missed: between its first and its last call none is missing. */
  private static List<String> gaps(CountingService service) {
    var byJob = new TreeMap<String, TreeSet<Instant>>();
    service.tasks().stream().filter(task -> task.startsWith("f-")).forEach(task -> {
      int at = task.indexOf('@');
      byJob
          .computeIfAbsent(task.substring(0, at), job -> new TreeSet<>())
          .add(Instant.parse(task.substring(at + 1)));
    });
    var gaps = new ArrayList<String>();
    byJob.forEach((job, instants) -> {
      for (Instant at = instants.first(); at.isBefore(instants.last()); at = at.plusSeconds(1)) {
        if (!instants.contains(at)) {
          gaps.add(job + "@" + at);
        }
      }
    });
    return gaps;
  }

  private static void saveJobs(Rest rest, String url, String service) {
    for (int i = 0; i < JOBS; i++) {
      Rest.Reply saved = rest.put(url + Rest.NS + "/jobs/f-" + i, """
          {"trigger": {"every": "1s"}, "executor": {"type": "http", "url": "%s"},
           "overlap": "allow", "missed": {"policy": "all"}, "retry": {"max": 5, "delay": "1s"}}""".formatted(service));
      assertThat(saved.status()).as(saved.body().toString()).isEqualTo(201);
    }
  }

  /** Time during which faults happen: nothing announces its end. */
  private static void awaitPassed(Duration duration) {
    long until = TIME.nanos() + duration.toNanos();
    await()
        .atMost(duration.plusSeconds(10))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> TIME.nanos() - until >= 0);
  }

  private static Path tokenFile() {
    try {
      Path file = ServerProcess.freshDirectory("cuts").resolve("admin.token");
      return PrivateFile.write(file, Trio.TOKEN + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the token", e);
    }
  }

  private static void delete(Path token) {
    try {
      Files.deleteIfExists(token);
      Files.deleteIfExists(token.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + token, e);
    }
  }
}
