package peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.logging.LogLevel;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Rounds of no-op one-time tasks on db-scheduler: first all are scheduled, then all are run. Prints one line of JSON a round.
 *
 * <p>Arguments: JDBC URL, tasks, rounds, threads, batch.
 */
public final class DbSchedulerPeer {
  private static final RuntimeMXBean UPTIME = ManagementFactory.getRuntimeMXBean();

  private DbSchedulerPeer() {}

  public static void main(String[] words) throws Exception {
    int tasks = Integer.parseInt(words[1]);
    int rounds = Integer.parseInt(words[2]);
    int threads = Integer.parseInt(words[3]);
    int batch = Integer.parseInt(words[4]);
    var config = new HikariConfig();
    config.setJdbcUrl(words[0]);
    config.setMaximumPoolSize(threads + 4);
    try (var source = new HikariDataSource(config)) {
      createTable(source);
      for (int round = 1; round <= rounds; round++) {
        round(source, tasks, threads, batch, round);
      }
    }
  }

  private static void createTable(HikariDataSource source) throws Exception {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists scheduled_tasks");
      statement.execute(
          """
          create table scheduled_tasks (
            task_name text not null, task_instance text not null, task_data bytea,
            execution_time timestamp with time zone not null, picked boolean not null, picked_by text,
            last_success timestamp with time zone, last_failure timestamp with time zone, consecutive_failures int,
            last_heartbeat timestamp with time zone, version bigint not null, priority smallint,
            primary key (task_name, task_instance))""");
      statement.execute("create index execution_time_idx on scheduled_tasks (execution_time)");
      statement.execute("create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
    }
  }

  private static void round(HikariDataSource source, int tasks, int threads, int batch, int round)
      throws Exception {
    var ends = new Semaphore(0);
    OneTimeTask<Void> noop =
        Tasks.oneTime("noop").execute((instance, context) -> ends.release());
    Scheduler scheduler = Scheduler.create(source, noop)
        .threads(threads)
        .pollUsingLockAndFetch(1.0, 4.0)
        .pollingInterval(Duration.ofMillis(100))
        .failureLogging(LogLevel.OFF, false)
        .build();
    long cpu = cpuNanos();
    long start = UPTIME.getUptime();
    Instant due = Instant.ofEpochMilli(UPTIME.getStartTime()); // long past: all are due at once
    // Two at a time: one connection alone leaves the database idle half of the time.
    try (var pool = Executors.newFixedThreadPool(2)) {
      for (int from = 0; from < tasks; from += batch) {
        List<TaskInstance<?>> batch = new ArrayList<>();
        for (int i = from; i < Math.min(tasks, from + batch); i++) {
          batch.add(noop.instance(round + "-" + i));
        }
        pool.submit(() -> scheduler.scheduleBatch(batch, due));
      }
    }
    long added = UPTIME.getUptime();
    scheduler.start();
    ends.acquire(tasks);
    while (left(source) > 0) {
      Thread.onSpinWait();
    }
    long end = UPTIME.getUptime();
    double micros = (cpuNanos() - cpu) / 1e3 / tasks;
    scheduler.stop();
    System.out.printf(
        Locale.ROOT,
        "{\"perSecond\": %.1f, \"submitted\": %.1f, \"run\": %.1f, \"clientMicros\": %.2f}%n",
        tasks / ((end - start) / 1e3),
        tasks / ((added - start) / 1e3),
        tasks / ((end - added) / 1e3),
        micros);
  }

  private static long left(HikariDataSource source) throws Exception {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from scheduled_tasks")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
