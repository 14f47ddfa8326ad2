package io.belfry.server.config;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All settings, in the order of the documentation. Threading: immutable. */
public final class SettingsCatalog {
  private SettingsCatalog() {}

  public static final Setting<String> DATA = Setting.of(
      "data",
      Kind.TEXT,
      "belfry-data",
      "Data directory of this node: the embedded store, the admin token and generated keys.");

  public static final Setting<String> NODE_NAME = Setting.unset(
          "node.name",
          Kind.TEXT,
          "Name of this node. A random suffix, the incarnation, makes it unique for each start. Unset: the host name.")
      .knownAs("NodeID");
  public static final Setting<String> NODE_ADDRESS = Setting.unset(
      "node.address",
      Kind.TEXT,
      "Address shown for this node, for information only. Unset: the host name.");
  public static final Setting<List<String>> NODE_ROLES = Setting.of(
      "node.roles",
      Kind.LIST,
      List.of("scheduler", "worker"),
      "Roles of this node: scheduler, worker, or both.");

  public static final Setting<String> SERVER_LISTEN = Setting.of(
      "server.listen",
      Kind.TEXT,
      "127.0.0.1:8080",
      "Address and port on which the API and the web interface listen. Port 0 selects a free port.");
  public static final Setting<String> SERVER_URL = Setting.unset(
      "server.url",
      Kind.TEXT,
      "External URL of this server, used in links and callback addresses. Unset: derived from server.listen.");
  public static final Setting<Boolean> SERVER_INSECURE_LISTEN = Setting.of(
      "server.insecureListen",
      Kind.SWITCH,
      false,
      "Allow listening on non-loopback addresses without TLS.");
  public static final Setting<String> SERVER_CERTIFICATE = Setting.unset(
      "server.tls.certificate",
      Kind.TEXT,
      "PEM file with the server's certificate chain. Set it together with server.tls.key to enable TLS.");
  public static final Setting<String> SERVER_KEY = Setting.unset(
      "server.tls.key", Kind.TEXT, "PEM file with the server's private key (PKCS#8).");
  public static final Setting<Duration> SERVER_START = Setting.of(
      "server.startPatience",
      Kind.DURATION,
      ofSeconds(30),
      "How long startup waits for an engine that does not respond yet.");
  public static final Setting<Duration> SERVER_STOP = Setting.of(
      "server.stopPatience",
      Kind.DURATION,
      ofSeconds(10),
      "Graceful shutdown period: how long running attempts and requests may take to finish.");

  public static final Setting<String> STORE_URI = Setting.unset(
          "store.uri",
          Kind.TEXT,
          "URI of the store: embedded:dir, etcd://h:p,…, redis://h:p, redis+sentinel://h:p,…/primary, redis+cluster://h:p,…; etcds and rediss for TLS. Unset: an embedded store in the data directory.")
      .knownAs("redis.addr", "EtcdEndpoints");
  public static final Setting<String> STORE_PREFIX = Setting.of(
          "store.prefix",
          Kind.TEXT,
          "belfry",
          "Prefix of all keys on etcd or Redis: a name, or on etcd a path such as /my-app/scheduler/.")
      .knownAs("EtcdKeyPrefix");
  public static final Setting<String> STORE_USER =
      Setting.unset("store.user", Kind.TEXT, "User name for etcd or Redis.");
  public static final Setting<String> STORE_PASSWORD = Setting.unset(
          "store.password", Kind.TEXT, "Password for etcd or Redis.")
      .knownAs("redis.password")
      .hidden();
  public static final Setting<Integer> STORE_DATABASE = Setting.of(
          "store.database", Kind.NUMBER, 0, "Number of the Redis database. Not for Redis Cluster.")
      .knownAs("redis.db");
  public static final Setting<Integer> STORE_ACKNOWLEDGEMENTS = Setting.unset(
      "store.acknowledgements",
      Kind.NUMBER,
      "Number of Redis replicas that must acknowledge a write. Unset: the value stored with the data, else a majority.");
  public static final Setting<String> STORE_AUTHORITY = Setting.unset(
      "store.tls.authority",
      Kind.TEXT,
      "PEM file with the CA certificates to trust for TLS connections to the store.");
  public static final Setting<String> STORE_CERTIFICATE = Setting.unset(
      "store.tls.certificate",
      Kind.TEXT,
      "PEM file with the client certificate for mutual TLS with the store.");
  public static final Setting<String> STORE_KEY = Setting.unset(
      "store.tls.key",
      Kind.TEXT,
      "PEM file with the private key of the client certificate (PKCS#8).");

  public static final Setting<String> ELECTION_URI = Setting.unset(
      "election.uri",
      Kind.TEXT,
      "URI of a separate engine for leader election, for example an etcd beside a Redis. Unset: the store.");
  public static final Setting<String> ELECTION_USER =
      Setting.unset("election.user", Kind.TEXT, "User name for the election engine.");
  public static final Setting<String> ELECTION_PASSWORD = Setting.unset(
          "election.password", Kind.TEXT, "Password for the election engine.")
      .hidden();
  public static final Setting<String> ELECTION_AUTHORITY = Setting.unset(
      "election.tls.authority",
      Kind.TEXT,
      "PEM file with the CA certificates to trust for TLS connections to the election engine.");
  public static final Setting<String> ELECTION_CERTIFICATE = Setting.unset(
      "election.tls.certificate",
      Kind.TEXT,
      "PEM file with the client certificate for mutual TLS with the election engine.");
  public static final Setting<String> ELECTION_KEY = Setting.unset(
      "election.tls.key",
      Kind.TEXT,
      "PEM file with the private key of the client certificate (PKCS#8).");

  public static final Setting<Duration> LEADER_LEASE = Setting.of(
          "leader.lease",
          Kind.DURATION,
          ofSeconds(3),
          "Duration of the leader lease. If the leader fails, another node can take over after at most this time.")
      .knownAs("leader_lock_ttl", "ElectionTimeout");
  public static final Setting<Duration> LEADER_RENEW = Setting.of(
          "leader.renew",
          Kind.DURATION,
          ofSeconds(1),
          "Interval at which the leader renews its lease, at most a third of leader.lease.")
      .knownAs("leader_renew_interval");

  public static final Setting<String> DISPATCH_STRATEGY = Setting.unset(
          "dispatch.strategy",
          Kind.TEXT,
          "Initial load-balancing strategy of a namespace that has none yet: least-tasks, round-robin, weighted-round-robin, random, consistent-hash, least-connections, least-load or adaptive. Unset: least-tasks.")
      .knownAs("LoadBalanceStrategy");
  public static final Setting<Integer> DISPATCH_RELEASE_RATE = Setting.of(
      "dispatch.releaseRate",
      Kind.NUMBER,
      1000,
      "Maximum rate at which missed fires are caught up, in tasks per second.");
  public static final Setting<Duration> DISPATCH_GRACE = Setting.of(
      "dispatch.grace",
      Kind.DURATION,
      ofSeconds(5),
      "Grace period: a fire that is late by at most this time is not a missed fire.");
  public static final Setting<Integer> DISPATCH_PENDING = Setting.of(
      "dispatch.pendingMax",
      Kind.NUMBER,
      1_000_000,
      "Maximum number of waiting tasks per namespace; more are refused as overload.");
  public static final Setting<Duration> DISPATCH_UNMATCHED = Setting.of(
      "dispatch.unmatchedAfter",
      Kind.DURATION,
      ofMinutes(10),
      "Time after which a waiting task counts as unmatched if no worker serves its queue and has its labels. The leader then logs a warning, publishes the event tasksUnmatched and updates the metrics.");

  public static final Setting<Duration> RETAIN_TASKS = Setting.of(
      "retain.tasks",
      Kind.DURATION,
      ofDays(7),
      "Retention of finished tasks that belong to no job, and of records of skipped fires.");
  public static final Setting<Duration> RETAIN_ROLLUPS = Setting.of(
      "retain.rollups",
      Kind.DURATION,
      ofDays(90),
      "Retention of rollups (counts and run times): hourly for 8 days, then daily.");
  public static final Setting<Duration> RETAIN_LOGS = Setting.of(
      "retain.logs",
      Kind.DURATION,
      ofDays(7),
      "Retention of logs of tasks that belong to no job, from their last line.");
  public static final Setting<Long> RETAIN_BYTES = Setting.of(
      "retain.bytes",
      Kind.SIZE,
      10L << 30,
      "Maximum size of the history of a namespace; the oldest finished tasks are deleted first.");
  public static final Setting<Long> RETAIN_LOG_BYTES = Setting.of(
      "retain.logBytes",
      Kind.SIZE,
      1L << 30,
      "Maximum size of all logs of a namespace, uncompressed; the oldest are deleted first.");

  public static final Setting<String> WORKER_ID = Setting.unset(
          "worker.id",
          Kind.TEXT,
          "Id of this node's worker. A random suffix, the incarnation, makes it unique for each start. Unset: the node's name.")
      .knownAs("WorkerID");
  public static final Setting<String> WORKER_NAME = Setting.unset(
          "worker.name", Kind.TEXT, "Display name of the worker. Unset: its id.")
      .knownAs("WorkerName");
  public static final Setting<String> WORKER_ADDRESS = Setting.of(
      "worker.address", Kind.TEXT, "", "Address shown for the worker, for information only.");
  public static final Setting<Map<String, String>> WORKER_LABELS = Setting.of(
      "worker.labels",
      Kind.MAP,
      Map.of(),
      "Labels of the worker. Jobs and tasks can require labels.");
  public static final Setting<List<String>> WORKER_QUEUES = Setting.of(
      "worker.queues", Kind.LIST, List.of(), "Queues that the worker serves. Empty: all.");
  public static final Setting<Integer> WORKER_WEIGHT = Setting.of(
      "worker.weight", Kind.NUMBER, 1, "Weight of the worker under weighted-round-robin.");
  public static final Setting<Integer> WORKER_CAPACITY = Setting.of(
          "worker.capacity",
          Kind.NUMBER,
          10,
          "Maximum number of attempts that the worker runs at once.")
      .knownAs("max_concurrent_tasks", "MaxConcurrency", "WorkerPoolSize");
  public static final Setting<Duration> WORKER_LEASE = Setting.of(
          "worker.lease",
          Kind.DURATION,
          ofSeconds(4),
          "Duration of the worker lease. A worker without heartbeats for this long is dead, and its tasks are rescued. Must be the same on all nodes.")
      .knownAs("heartbeat_timeout", "WorkerTimeout", "WorkerTTL");
  public static final Setting<Duration> WORKER_HEARTBEAT = Setting.of(
          "worker.heartbeat",
          Kind.DURATION,
          ofSeconds(1),
          "Heartbeat interval of the worker, at most a third of worker.lease.")
      .knownAs("heartbeat_interval", "HeartbeatInterval");
  public static final Setting<Duration> WORKER_IDLE = Setting.unset(
          "worker.idleTimeout",
          Kind.DURATION,
          "Shut the worker down after it has been idle for this long. Unset: never.")
      .knownAs("IdleTimeout");
  public static final Setting<Boolean> WORKER_HEALTH = Setting.of(
          "worker.healthCheck",
          Kind.SWITCH,
          true,
          "Run the health checks of handler modules. While one fails, the worker gets no new attempts.")
      .knownAs("EnableHealthCheck");

  public static final Setting<Duration> TASK_TIMEOUT = Setting.of(
          "task.timeout",
          Kind.DURATION,
          ofMinutes(5),
          "Default timeout of an attempt, for submissions and jobs that set none. Stored with the job when it is saved.")
      .knownAs("default_timeout", "TaskTimeout");
  public static final Setting<Integer> TASK_RETRY_MAX = Setting.of(
          "task.retry.max",
          Kind.NUMBER,
          3,
          "Default maximum number of retries, for submissions and jobs that set none. Stored with the job when it is saved.")
      .knownAs("max_retry", "MaxRetryAttempts");
  public static final Setting<Duration> TASK_RETRY_DELAY = Setting.of(
          "task.retry.delay", Kind.DURATION, ofSeconds(10), "Default delay before the first retry.")
      .knownAs("retry_delay", "RetryBackoffBase");
  public static final Setting<Double> TASK_RETRY_BACKOFF = Setting.of(
          "task.retry.backoff",
          Kind.DECIMAL,
          2.0,
          "Default factor by which the delay grows with each further retry.")
      .knownAs("backoff_rate");
  public static final Setting<Duration> TASK_RETRY_CAP = Setting.of(
          "task.retry.cap", Kind.DURATION, ofMinutes(5), "Default maximum delay between retries.")
      .knownAs("RetryBackoffMax");
  public static final Setting<Integer> TASK_QUEUE_SIZE = Setting.of(
          "task.queueSize",
          Kind.NUMBER,
          10_000,
          "Maximum number of submissions of this node that wait for the store; more are refused as overload.")
      .knownAs("TaskQueueSize");
  public static final Setting<Boolean> TASK_COMPRESSION = Setting.of(
          "task.compression",
          Kind.SWITCH,
          true,
          "Compress payloads and results of 1 KiB or more where that makes them smaller.")
      .knownAs("EnableCompression");
  public static final Setting<Duration> TASK_IDEMPOTENCY = Setting.of(
      "task.idempotencyWindow",
      Kind.DURATION,
      ofDays(7),
      "How long a repeated submission is recognized by its idempotency key or id.");
  public static final Setting<Integer> TASK_IDEMPOTENCY_KEYS = Setting.of(
      "task.idempotencyKeysMax",
      Kind.NUMBER,
      10_000_000,
      "Maximum number of stored idempotency keys per namespace; calls that need a further one are refused as overload.");
  public static final Setting<Integer> EVENTS_BUFFER = Setting.of(
          "events.buffer",
          Kind.NUMBER,
          1000,
          "Maximum number of events buffered for each listener; more are dropped and counted.")
      .knownAs("BufferSize");

  public static final Setting<List<String>> NAMESPACES = Setting.of(
      "namespaces",
      Kind.LIST,
      List.of("default"),
      "Namespaces to create at startup if they do not exist.");

  public static final Setting<Long> LIMIT_BODY =
      Setting.of("limit.body", Kind.SIZE, 1L << 20, "Maximum size of a request body.");
  public static final Setting<Integer> LIMIT_RATE = Setting.of(
      "limit.rate",
      Kind.NUMBER,
      50_000,
      "Maximum number of requests per second for each token; more are answered 429.");
  public static final Setting<Integer> LIMIT_LOGIN_RATE = Setting.of(
      "limit.loginRate",
      Kind.NUMBER,
      10,
      "Maximum number of failed logins per minute from one address; more are answered 429. Late reports to an expired callback address are limited to ten times as many.");

  public static final Setting<Boolean> METRICS_ENABLED = Setting.of(
          "metrics.enabled",
          Kind.SWITCH,
          true,
          "Enable metrics: count events on this node and serve /metrics.")
      .knownAs("EnableMetrics");
  public static final Setting<String> LOG_FORMAT =
      Setting.of("log.format", Kind.oneOf("text", "json"), "text", "Format of this process's log.");
  public static final Setting<String> LOG_LEVEL = Setting.of(
      "log.level",
      Kind.oneOf("error", "warn", "info", "debug"),
      "info",
      "Minimum level of logged messages.");

  private static final List<Setting<?>> OWN = List.of(
      DATA,
      NODE_NAME,
      NODE_ADDRESS,
      NODE_ROLES,
      SERVER_LISTEN,
      SERVER_URL,
      SERVER_INSECURE_LISTEN,
      SERVER_CERTIFICATE,
      SERVER_KEY,
      SERVER_START,
      SERVER_STOP,
      STORE_URI,
      STORE_PREFIX,
      STORE_USER,
      STORE_PASSWORD,
      STORE_DATABASE,
      STORE_ACKNOWLEDGEMENTS,
      STORE_AUTHORITY,
      STORE_CERTIFICATE,
      STORE_KEY,
      ELECTION_URI,
      ELECTION_USER,
      ELECTION_PASSWORD,
      ELECTION_AUTHORITY,
      ELECTION_CERTIFICATE,
      ELECTION_KEY,
      LEADER_LEASE,
      LEADER_RENEW,
      DISPATCH_STRATEGY,
      DISPATCH_RELEASE_RATE,
      DISPATCH_GRACE,
      DISPATCH_PENDING,
      DISPATCH_UNMATCHED,
      RETAIN_TASKS,
      RETAIN_ROLLUPS,
      RETAIN_LOGS,
      RETAIN_BYTES,
      RETAIN_LOG_BYTES,
      WORKER_ID,
      WORKER_NAME,
      WORKER_ADDRESS,
      WORKER_LABELS,
      WORKER_QUEUES,
      WORKER_WEIGHT,
      WORKER_CAPACITY,
      WORKER_LEASE,
      WORKER_HEARTBEAT,
      WORKER_IDLE,
      WORKER_HEALTH,
      TASK_TIMEOUT,
      TASK_RETRY_MAX,
      TASK_RETRY_DELAY,
      TASK_RETRY_BACKOFF,
      TASK_RETRY_CAP,
      TASK_QUEUE_SIZE,
      TASK_COMPRESSION,
      TASK_IDEMPOTENCY,
      TASK_IDEMPOTENCY_KEYS,
      EVENTS_BUFFER,
      NAMESPACES,
      LIMIT_BODY,
      LIMIT_RATE,
      LIMIT_LOGIN_RATE,
      METRICS_ENABLED,
      LOG_FORMAT,
      LOG_LEVEL);

  /** All settings, including those of access, connections and executors. */
  public static final List<Setting<?>> ALL = Stream.of(
          OWN, AccessSettings.ALL, ConnectionSettings.ALL, ExecutorSettings.ALL)
      .<Setting<?>>flatMap(List::stream)
      .toList();
}
