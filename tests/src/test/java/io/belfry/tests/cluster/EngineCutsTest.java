package io.belfry.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
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
import org.junit.jupiter.api.Test;

/**
 * A server under load, whose connections to its engine are reset, stalled and swallowed: it never gets stuck, loses nothing it
 * acknowledged, says throughout whether it is ready, and logs what happened.
 *
 * <pre>
 *   callers ──batches──▶ server ──▶ TcpProxy (holds all) ──▶ FaultProxy (breaks at random bytes) ──▶ engine
 *                          └──calls──▶ CountingService
 * </pre>
 */
class EngineCutsTest {
  private static final Time TIME = Time.system();
  private static final long SEED = Long.getLong("belfry.seed", 12);
  private static final int JOBS = 50;
  private static final Duration RANDOM_FAULTS = Duration.ofSeconds(12);
  private static final Duration HELD = Duration.ofSeconds(7);
  private static final Duration NOTICED = Duration.ofSeconds(5);
  private static final Duration FLOWS = Duration.ofSeconds(15);
  private static final Duration DRAINED = Duration.ofSeconds(60);
  /** The promise is a second; the load of this test is on the same machine. */
  private static final Duration ANSWERED = Duration.ofSeconds(3);

  private static final FaultProxy.Mix MIX =
      new FaultProxy.Mix(20, 4, 800 << 10, 256 << 10, Duration.ofMillis(500));

  @Test
  void on_redis() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy faults = FaultProxy.to(redis.port(), SEED, MIX);
        TcpProxy wire = TcpProxy.to(faults.port())) {
      underCuts("redis", "redis://127.0.0.1:" + wire.port(), faults, wire);
    }
  }

  @Test
  void on_redis_behind_sentinels() {
    try (RedisSentinels sentinels = RedisSentinels.start();
        FaultProxy faults = FaultProxy.to(sentinels.first().port(), SEED, MIX);
        TcpProxy wire = TcpProxy.to(faults.port())) {
      sentinels.leadFirstThrough(wire.port());
      underCuts("sentinel", sentinels.uri(), faults, wire);
    }
  }

  @Test
  void on_etcd() {
    try (EtcdServer etcd = EtcdServer.start();
        FaultProxy faults = FaultProxy.to(etcd.port(), SEED, MIX);
        TcpProxy wire = TcpProxy.to(faults.port())) {
      underCuts("etcd", "etcd://127.0.0.1:" + wire.port(), faults, wire);
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
        faults.beginFaults();
        awaitPassed(RANDOM_FAULTS);
        faults.endFaults();
        hold(wire, watch);
        flows(rest, url, service, callers);
      }
      judge(engine, faults, server, service, watch, callers);
    } finally {
      delete(token);
    }
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

  private static void flows(Rest rest, String url, CountingService service, BatchCallers callers) {
    long cut = TIME.nanos();
    long acknowledged = callers.acknowledged().size();
    Set<String> before = service.tasks();
    await("everything flows again after the last cut")
        .atMost(FLOWS)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> rest.get(url + "/readyz").status() == 200
            && callers.acknowledged().size() > acknowledged
            && freshJobs(service, before) == JOBS);
    System.out.printf("flows again after %d ms%n", (TIME.nanos() - cut) / 1_000_000);
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
        watch.all().stream().mapToLong(said -> said.took().toMillis()).max().orElse(0));
    assertThat(faults.cuts()).as("connections were cut").isPositive();
    assertThat(acknowledged).as("acknowledged ids").doesNotHaveDuplicates().isNotEmpty();
    assertThat(service.repeated()).as("attempts that called twice").isEmpty();
    assertThat(watch.untrue(Duration.ofSeconds(8)))
        .as("ready although nothing was done for 8 s before and after")
        .isEmpty();
    assertThat(watch.all()).allSatisfy(said -> assertThat(said.took()).isLessThan(ANSWERED));
    assertThat(server.process().log())
        .contains("Belfry cannot write to the ")
        .contains("Belfry can write to the ");
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
      return Files.writeString(file, Trio.TOKEN + "\n");
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
