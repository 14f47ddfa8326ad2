package io.belfry.bench.server;

import io.belfry.bench.task.BenchOptions;
import io.belfry.bench.task.ResultTable;
import io.belfry.library.Belfry;
import io.belfry.library.Settings;
import io.belfry.library.Submission;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Benchmarks a server over REST, on an embedded store. */
public final class ServerBench {
  private static final String TASKS = "/api/v1/namespaces/default/tasks";
  private static final String JOBS = "/api/v1/namespaces/default/jobs";
  private static final int BATCH = 100;
  /** Warm-up until the code is compiled: with fewer seconds the JIT compiler is measured, which shares two cores with everything else. */
  private static final int WARM_UP_SECONDS = 30;

  private static final Duration AT_REST = Duration.ofSeconds(60);

  private final Time time = Time.system();
  private final Path home = Path.of(System.getProperty("belfry.home", ".")).toAbsolutePath();
  private final BenchOptions asked;
  private final ResultTable sheet;

  private ServerBench(BenchOptions asked) {
    this.asked = asked;
    this.sheet =
        new ResultTable(asked, "what", "figure", "goal", "p50 ms", "p99 ms", "server CPU µs each");
  }

  public static void main(String[] words) throws Exception {
    BenchOptions asked = BenchOptions.of(
        words,
        List.of("start", "submit", "batch", "list", "calls", "rest"),
        Map.of(
            "connections",
            64,
            "seconds",
            10,
            "finished",
            1_000_000,
            "jobs",
            10_000,
            "warm-up",
            WARM_UP_SECONDS,
            "calls",
            100_000,
            "rounds",
            3));
    var bench = new ServerBench(asked);
    for (String what : asked.engines()) {
      bench.measure(what);
    }
    bench.sheet.end();
  }

  private void measure(String what) throws Exception {
    ResultTable.progress("%s", what);
    Path data = Files.createTempDirectory("belfry-bench");
    try {
      switch (what) {
        case "start" -> start(data);
        case "submit" -> submit(data);
        case "batch" -> batch(data);
        case "list" -> list(data);
        case "calls" -> calls(data);
        case "rest" -> rest(data);
        default -> throw new IllegalArgumentException(what);
      }
    } finally {
      delete(data);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Collections.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private ServerProcess server(Path data) throws IOException {
    return new ServerProcess(home, data, "", "limit.rate=1000000", "worker.capacity=256");
  }

  private void start(Path data) throws IOException {
    start(data, "", "start to ready, best, s", "1.0");
    start(data, "-XX:AOTMode=off", "the same without the AOT cache", "1.5");
  }

  private void start(Path data, String options, String what, String goal) throws IOException {
    double best = Double.MAX_VALUE;
    double cpu = 0;
    for (int i = 0; i <= asked.number("rounds"); i++) {
      try (var server = new ServerProcess(home, data, options)) {
        double seconds = server.toReady().toNanos() / 1e9;
        if (i > 0 && seconds < best) {
          best = seconds;
          cpu = server.cpu().toNanos() / 1e3;
        }
      }
    }
    sheet.row(what, best, goal, "", "", cpu);
  }

  private void submit(Path data) throws Exception {
    try (var server = server(data)) {
      byte[] one = HttpConnection.request("POST", TASKS, server.token(), "{" + task() + "}");
      load("submits/s", "8,000", server, one, 1, asked.number("warm-up"));
    }
  }

  /** Due in an hour, so that only the submission is measured. */
  private static String task() {
    return "\"executor\": {\"type\": \"local\", \"handler\": \"noop\"}, \"in\": \"1h\", \"payload\": {\"customer\": 4711}";
  }

  private void batch(Path data) throws Exception {
    try (var server = server(data)) {
      String body = IntStream.range(0, BATCH)
          .mapToObj(i -> "{" + task() + "}")
          .collect(Collectors.joining(",", "[", "]"));
      load(
          "tasks/s in batches of 100",
          "40,000",
          server,
          HttpConnection.request("POST", TASKS, server.token(), body),
          BATCH,
          // Batches warm up the code sooner; and all their tasks keep waiting, a million within
          // half a minute.
          asked.number("warm-up") / 2);
    }
  }

  private record Load(long count, double seconds, List<Long> nanos) {}

  private void load(
      String what, String goal, ServerProcess server, byte[] request, int each, int warmUp)
      throws Exception {
    run(server.url(), request, warmUp);
    Duration before = server.cpu();
    Load load = run(server.url(), request, asked.number("seconds"));
    double cpu = server.cpu().minus(before).toNanos() / 1e3 / (load.count * each);
    Collections.sort(load.nanos);
    sheet.row(
        what,
        load.count * each / load.seconds,
        goal,
        at(load.nanos, 0.5),
        at(load.nanos, 0.99),
        cpu);
  }

  private static double at(List<Long> sorted, double share) {
    return sorted.get((int) Math.min(sorted.size() - 1L, (long) (share * sorted.size()))) / 1e6;
  }

  private Load run(URI url, byte[] request, int seconds) throws Exception {
    long begin = time.nanos();
    long end = begin + Duration.ofSeconds(seconds).toNanos();
    List<Future<List<Long>>> callers = new ArrayList<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<List<Long>> caller = () -> calls(url, request, end);
      for (int i = 0; i < asked.number("connections"); i++) {
        callers.add(pool.submit(caller));
      }
      var all = new ArrayList<Long>();
      for (Future<List<Long>> each : callers) {
        all.addAll(each.get());
      }
      return new Load(all.size(), (time.nanos() - begin) / 1e9, all);
    }
  }

  private List<Long> calls(URI url, byte[] request, long end) throws IOException {
    var took = new ArrayList<Long>();
    try (var wire = new HttpConnection(url)) {
      for (long now = time.nanos(); now < end; ) {
        HttpConnection.Answer answer = wire.ask(request);
        require(answer);
        long then = time.nanos();
        took.add(then - now);
        now = then;
      }
    }
    return took;
  }

  private static void require(HttpConnection.Answer answer) {
    if (answer.status() >= 300) {
      throw new IllegalStateException(
          "The server returned " + answer.status() + ": " + answer.text());
    }
  }

  private void list(Path data) throws Exception {
    finish(data.resolve("store"), asked.number("finished"));
    try (var server = server(data);
        var wire = new HttpConnection(server.url())) {
      for (String query : List.of("", "?state=succeeded", "?job=none")) {
        byte[] page = HttpConnection.request("GET", TASKS + query, server.token(), "");
        var took = new ArrayList<Long>();
        for (int i = 0; i < 500; i++) {
          long start = time.nanos();
          require(wire.ask(page));
          took.add(time.nanos() - start);
        }
        List<Long> warm = new ArrayList<>(took.subList(250, took.size()));
        Collections.sort(warm);
        sheet.row(
            "first page of %s tasks%s, first time, ms"
                .formatted(String.format(Locale.ROOT, "%,d", asked.number("finished")), query),
            took.getFirst() / 1e6,
            "20",
            at(warm, 0.5),
            at(warm, 0.99),
            "");
      }
    }
  }

  private static void finish(Path store, int tasks) {
    Settings settings = Settings.defaults().store("embedded:" + store);
    try (Belfry belfry = Belfry.open(settings, made -> made.handle("noop", attempt -> {}))) {
      for (int done = 0; done < tasks; done += 1000) {
        var batch =
            Collections.nCopies(Math.min(1000, tasks - done), Submission.local("noop", Map.of()));
        belfry.submitAll(batch);
      }
      while (belfry.metrics().tasksCompleted() < tasks) {
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  private void calls(Path data) throws Exception {
    int count = asked.number("calls");
    try (var echo = new EchoServer();
        var server = server(data);
        var wire = new HttpConnection(server.url())) {
      flood(wire, server.token(), echo, count);
      Duration before = server.cpu();
      long start = time.nanos();
      flood(wire, server.token(), echo, count);
      double seconds = (time.nanos() - start) / 1e9;
      sheet.row(
          "HTTP calls/s",
          count / seconds,
          "5,000",
          "",
          "",
          server.cpu().minus(before).toNanos() / 1e3 / count);
    }
  }

  private static void flood(HttpConnection wire, String token, EchoServer echo, int count)
      throws IOException {
    long until = echo.calls() + count;
    String task = "{\"executor\": {\"type\": \"http\", \"method\": \"POST\", \"url\": \""
        + echo.url() + "\"}, \"payload\": {\"n\": 1}}";
    byte[] batch = HttpConnection.request(
        "POST", TASKS, token, "[" + String.join(",", Collections.nCopies(BATCH, task)) + "]");
    for (int sent = 0; sent < count; sent += BATCH) {
      require(wire.ask(batch));
    }
    while (echo.calls() < until) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  private void rest(Path data) throws Exception {
    int jobs = asked.number("jobs");
    try (var server = server(data)) {
      try (var wire = new HttpConnection(server.url())) {
        for (int done = 0; done < jobs; done += 1000) {
          int from = done;
          String body = IntStream.range(from, Math.min(jobs, from + 1000))
              .mapToObj(i -> "{\"id\": \"job-" + i + "\", \"trigger\": {\"cron\": \"0 " + i % 60
                  + " 3 1 1 *\"}, \"executor\": {\"type\": \"local\", \"handler\": \"noop\"}}")
              .collect(Collectors.joining(",", "{\"action\": \"apply\", \"jobs\": [", "]}"));
          require(wire.ask(HttpConnection.request("POST", JOBS, server.token(), body)));
        }
      }
      double saved = server.residentMegabytes();
      LockSupport.parkNanos(AT_REST.toNanos());
      sheet.row(
          "resident MB with %,d jobs, after saving them".formatted(jobs), saved, "256", "", "", "");
      sheet.row("the same after an idle minute", server.residentMegabytes(), "256", "", "", "");
    }
    try (var server = server(data)) {
      LockSupport.parkNanos(Duration.ofSeconds(10).toNanos());
      sheet.row("the same after a restart", server.residentMegabytes(), "256", "", "", "");
    }
  }
}
