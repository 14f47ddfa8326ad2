package io.belfry.server.config;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every key there is, in the order of the documentation. Threading: immutable. */
public final class Catalogue {
  private Catalogue() {}

  public static final Setting<String> DATA = Setting.of(
      "data",
      Kind.TEXT,
      "belfry-data",
      "Directory of this node: an embedded store, the admin token, generated keys.");

  public static final Setting<String> NODE_NAME = Setting.unset(
          "node.name",
          Kind.TEXT,
          "Name of this node; an incarnation is added. Unset: the name of the host.")
      .knownAs("NodeID");
  public static final Setting<String> NODE_ADDRESS = Setting.unset(
      "node.address", Kind.TEXT, "Where this node runs, for people. Unset: the name of the host.");
  public static final Setting<List<String>> NODE_ROLES = Setting.of(
      "node.roles",
      Kind.LIST,
      List.of("scheduler", "worker"),
      "What this node does: scheduler, worker, or both.");

  public static final Setting<String> SERVER_LISTEN = Setting.of(
      "server.listen",
      Kind.TEXT,
      "127.0.0.1:8080",
      "Address and port of the API and the web interface; port 0 takes a free one.");
  public static final Setting<String> SERVER_URL = Setting.unset(
      "server.url",
      Kind.TEXT,
      "How others reach this server, for links and callbacks. Unset: made of server.listen.");
  public static final Setting<Boolean> SERVER_INSECURE_LISTEN = Setting.of(
      "server.insecureListen",
      Kind.SWITCH,
      false,
      "Allows listening elsewhere than on loopback without TLS.");
  public static final Setting<String> SERVER_CERTIFICATE = Setting.unset(
      "server.tls.certificate",
      Kind.TEXT,
      "PEM file with the certificate chain; with server.tls.key the API speaks TLS.");
  public static final Setting<String> SERVER_KEY =
      Setting.unset("server.tls.key", Kind.TEXT, "PEM file with the private key, PKCS#8.");
  public static final Setting<Duration> SERVER_START = Setting.of(
      "server.startPatience",
      Kind.DURATION,
      ofSeconds(30),
      "How long a start waits for an engine that does not answer yet.");
  public static final Setting<Duration> SERVER_STOP = Setting.of(
      "server.stopPatience",
      Kind.DURATION,
      ofSeconds(10),
      "How long a stop lets attempts and requests finish.");

  public static final Setting<String> STORE_URI = Setting.unset(
          "store.uri",
          Kind.TEXT,
          "Where everything is kept: embedded:dir, etcd://h:p,…, redis://h:p, redis+sentinel://h:p,…/primary, redis+cluster://h:p,…; etcds and rediss for TLS. Unset: embedded, below data.")
      .knownAs("redis.addr", "EtcdEndpoints");
  public static final Setting<String> STORE_PREFIX = Setting.of(
          "store.prefix",
          Kind.TEXT,
          "belfry",
          "With what all keys on etcd or Redis begin: a name, or on etcd a path such as /my-app/scheduler/.")
      .knownAs("EtcdKeyPrefix");
  public static final Setting<String> STORE_USER =
      Setting.unset("store.user", Kind.TEXT, "User on etcd or Redis.");
  public static final Setting<String> STORE_PASSWORD = Setting.unset(
          "store.password", Kind.TEXT, "Password on etcd or Redis.")
      .knownAs("redis.password")
      .hidden();
  public static final Setting<Integer> STORE_DATABASE = Setting.of(
          "store.database", Kind.NUMBER, 0, "Number of the database on a Redis that is no cluster.")
      .knownAs("redis.db");
  public static final Setting<Integer> STORE_ACKNOWLEDGEMENTS = Setting.unset(
      "store.acknowledgements",
      Kind.NUMBER,
      "Replicas that must have a write before it counts, on Redis. Unset: as the data set says, else a majority.");
  public static final Setting<String> STORE_AUTHORITY =
      Setting.unset("store.tls.authority", Kind.TEXT, "PEM file with whom we trust, over TLS.");
  public static final Setting<String> STORE_CERTIFICATE = Setting.unset(
      "store.tls.certificate", Kind.TEXT, "PEM file with what we show, where the engine asks.");
  public static final Setting<String> STORE_KEY =
      Setting.unset("store.tls.key", Kind.TEXT, "PEM file with its private key, PKCS#8.");

  public static final Setting<String> ELECTION_URI = Setting.unset(
      "election.uri",
      Kind.TEXT,
      "Where leaders are elected, if elsewhere than the state: an etcd beside a Redis.");
  public static final Setting<String> ELECTION_USER =
      Setting.unset("election.user", Kind.TEXT, "User there.");
  public static final Setting<String> ELECTION_PASSWORD =
      Setting.unset("election.password", Kind.TEXT, "Password there.").hidden();
  public static final Setting<String> ELECTION_AUTHORITY =
      Setting.unset("election.tls.authority", Kind.TEXT, "PEM file with whom we trust there.");
  public static final Setting<String> ELECTION_CERTIFICATE =
      Setting.unset("election.tls.certificate", Kind.TEXT, "PEM file with what we show there.");
  public static final Setting<String> ELECTION_KEY =
      Setting.unset("election.tls.key", Kind.TEXT, "PEM file with its private key.");

  public static final Setting<Duration> LEADER_LEASE = Setting.of(
          "leader.lease",
          Kind.DURATION,
          ofSeconds(3),
          "How long a leader that went silent keeps others from leading.")
      .knownAs("leader_lock_ttl", "ElectionTimeout");
  public static final Setting<Duration> LEADER_RENEW = Setting.of(
          "leader.renew",
          Kind.DURATION,
          ofSeconds(1),
          "How often a leader renews; fits three times into the lease.")
      .knownAs("leader_renew_interval");

  public static final Setting<String> DISPATCH_STRATEGY = Setting.unset(
          "dispatch.strategy",
          Kind.TEXT,
          "How workers are chosen in a namespace in which nobody has chosen yet: least-tasks, round-robin, weighted-round-robin, random, consistent-hash, least-connections, least-load or adaptive.")
      .knownAs("LoadBalanceStrategy");
  public static final Setting<Integer> DISPATCH_RELEASE_RATE = Setting.of(
      "dispatch.releaseRate",
      Kind.NUMBER,
      1000,
      "How many missed fires are made up for in a second.");
  public static final Setting<Duration> DISPATCH_GRACE = Setting.of(
      "dispatch.grace",
      Kind.DURATION,
      ofSeconds(5),
      "Up to this age a fire counts as on time and not as missed.");
  public static final Setting<Integer> DISPATCH_PENDING = Setting.of(
      "dispatch.pendingMax",
      Kind.NUMBER,
      1_000_000,
      "How many tasks may wait in a namespace; more are refused as overload.");
  public static final Setting<Duration> DISPATCH_UNMATCHED = Setting.of(
      "dispatch.unmatchedAfter",
      Kind.DURATION,
      ofMinutes(10),
      "How long tasks wait that no worker may take, by queue and labels, before the leader logs a warning, publishes the event tasksUnmatched and counts them.");

  public static final Setting<Duration> RETAIN_TASKS = Setting.of(
      "retain.tasks",
      Kind.DURATION,
      ofDays(7),
      "How long finished tasks are kept that belong to no job, and records of skipped fires.");
  public static final Setting<Duration> RETAIN_ROLLUPS = Setting.of(
      "retain.rollups",
      Kind.DURATION,
      ofDays(90),
      "How long counts and times are kept: by the hour for 8 days, then by the day.");
  public static final Setting<Duration> RETAIN_LOGS = Setting.of(
      "retain.logs",
      Kind.DURATION,
      ofDays(7),
      "How long logs of tasks that belong to no job are kept after their last line.");
  public static final Setting<Long> RETAIN_BYTES = Setting.of(
      "retain.bytes",
      Kind.SIZE,
      10L << 30,
      "What all finished tasks of a namespace may weigh before the oldest go early.");
  public static final Setting<Long> RETAIN_LOG_BYTES = Setting.of(
      "retain.logBytes",
      Kind.SIZE,
      1L << 30,
      "What all logs of a namespace may weigh before the oldest go, uncompressed.");

  public static final Setting<String> WORKER_ID = Setting.unset(
          "worker.id",
          Kind.TEXT,
          "Id of the worker; an incarnation is added. Unset: the node's name.")
      .knownAs("WorkerID");
  public static final Setting<String> WORKER_NAME = Setting.unset(
          "worker.name", Kind.TEXT, "Name of the worker, for people. Unset: its id.")
      .knownAs("WorkerName");
  public static final Setting<String> WORKER_ADDRESS = Setting.of(
      "worker.address",
      Kind.TEXT,
      "",
      "Where the worker can be found, for people; nobody connects to it.");
  public static final Setting<Map<String, String>> WORKER_LABELS =
      Setting.of("worker.labels", Kind.MAP, Map.of(), "What tasks may demand of their worker.");
  public static final Setting<List<String>> WORKER_QUEUES = Setting.of(
      "worker.queues", Kind.LIST, List.of(), "The queues that the worker serves. Empty: all.");
  public static final Setting<Integer> WORKER_WEIGHT =
      Setting.of("worker.weight", Kind.NUMBER, 1, "Its share under weighted-round-robin.");
  public static final Setting<Integer> WORKER_CAPACITY = Setting.of(
          "worker.capacity", Kind.NUMBER, 10, "Attempts that the worker holds at most.")
      .knownAs("max_concurrent_tasks", "MaxConcurrency", "WorkerPoolSize");
  public static final Setting<Duration> WORKER_LEASE = Setting.of(
          "worker.lease",
          Kind.DURATION,
          ofSeconds(4),
          "How long a worker that went silent keeps its tasks; the same on all nodes.")
      .knownAs("heartbeat_timeout", "WorkerTimeout", "WorkerTTL");
  public static final Setting<Duration> WORKER_HEARTBEAT = Setting.of(
          "worker.heartbeat",
          Kind.DURATION,
          ofSeconds(1),
          "How often the worker says that it is there; fits three times into its lease.")
      .knownAs("heartbeat_interval", "HeartbeatInterval");
  public static final Setting<Duration> WORKER_IDLE = Setting.unset(
          "worker.idleTimeout",
          Kind.DURATION,
          "A worker that has had nothing to do for so long leaves by itself. Unset: never.")
      .knownAs("IdleTimeout");
  public static final Setting<Boolean> WORKER_HEALTH = Setting.of(
          "worker.healthCheck",
          Kind.SWITCH,
          true,
          "Whether modules of handlers are asked if they are healthy; while one is not, the worker is given nothing new.")
      .knownAs("EnableHealthCheck");

  public static final Setting<Duration> TASK_TIMEOUT = Setting.of(
          "task.timeout",
          Kind.DURATION,
          ofMinutes(5),
          "How long an attempt may take, of submissions and jobs that do not say when they are saved.")
      .knownAs("default_timeout", "TaskTimeout");
  public static final Setting<Integer> TASK_RETRY_MAX = Setting.of(
          "task.retry.max",
          Kind.NUMBER,
          3,
          "How often a failed attempt is followed by another, for submissions and jobs that do not say when they are saved.")
      .knownAs("max_retry", "MaxRetryAttempts");
  public static final Setting<Duration> TASK_RETRY_DELAY = Setting.of(
          "task.retry.delay", Kind.DURATION, ofSeconds(10), "Time before the first of them.")
      .knownAs("retry_delay", "RetryBackoffBase");
  public static final Setting<Double> TASK_RETRY_BACKOFF = Setting.of(
          "task.retry.backoff", Kind.DECIMAL, 2.0, "By what each further time is multiplied.")
      .knownAs("backoff_rate");
  public static final Setting<Duration> TASK_RETRY_CAP = Setting.of(
          "task.retry.cap", Kind.DURATION, ofMinutes(5), "The longest of these times.")
      .knownAs("RetryBackoffMax");
  public static final Setting<Integer> TASK_QUEUE_SIZE = Setting.of(
          "task.queueSize",
          Kind.NUMBER,
          10_000,
          "Submissions that may wait for the store; more are refused as overload.")
      .knownAs("TaskQueueSize");
  public static final Setting<Boolean> TASK_COMPRESSION = Setting.of(
          "task.compression",
          Kind.SWITCH,
          true,
          "Whether payloads and results from 1 KiB on are compressed where that helps.")
      .knownAs("EnableCompression");
  public static final Setting<Duration> TASK_IDEMPOTENCY = Setting.of(
      "task.idempotencyWindow",
      Kind.DURATION,
      ofDays(7),
      "How long a repeated submission is recognised by its key or id.");
  public static final Setting<Integer> TASK_IDEMPOTENCY_KEYS = Setting.of(
      "task.idempotencyKeysMax",
      Kind.NUMBER,
      10_000_000,
      "Idempotency keys that may be remembered in a namespace; calls that need a further one are refused as overload.");
  public static final Setting<List<String>> SUBMIT_HANDLERS = Setting.of(
      "submit.handlers",
      Kind.LIST,
      List.of(),
      "Names of local handlers for which operators may submit tasks; * for all. Others need the role developer, or a job.");
  public static final Setting<Integer> EVENTS_BUFFER = Setting.of(
          "events.buffer",
          Kind.NUMBER,
          1000,
          "Events that may wait for one listener; more are dropped and counted.")
      .knownAs("BufferSize");

  public static final Setting<List<String>> NAMESPACES = Setting.of(
      "namespaces",
      Kind.LIST,
      List.of("default"),
      "Namespaces that are made at the start if they are not there.");

  public static final Setting<String> ADMIN_TOKEN_FILE = Setting.unset(
      "admin.tokenFile",
      Kind.TEXT,
      "File with the admin token of the cluster. Unset: one is generated at the first start.");
  public static final Setting<String> SECRET_KEY_FILE = Setting.unset(
      "secret.keyFile",
      Kind.TEXT,
      "File with the keys of stored secrets, one in each line: the first encrypts, all decrypt. Unset: secret.key below data, made at the first start, with an embedded store.");

  public static final Setting<Long> LIMIT_BODY =
      Setting.of("limit.body", Kind.SIZE, 1L << 20, "The largest body of a request.");
  public static final Setting<Integer> LIMIT_RATE = Setting.of(
      "limit.rate",
      Kind.NUMBER,
      50_000,
      "Requests in a second of one token; more are answered 429.");
  public static final Setting<Integer> LIMIT_LOGIN_RATE = Setting.of(
      "limit.loginRate",
      Kind.NUMBER,
      10,
      "Failed logins in a minute from one address; more are answered 429. Ten times as many reports to one callback address at which nobody waits any more.");

  public static final Setting<Boolean> METRICS_ENABLED = Setting.of(
          "metrics.enabled",
          Kind.SWITCH,
          true,
          "Whether this node counts what happens, and serves /metrics.")
      .knownAs("EnableMetrics");
  public static final Setting<Boolean> METRICS_ANONYMOUS = Setting.of(
      "metrics.anonymous", Kind.SWITCH, false, "Whether /metrics is served without a token.");
  public static final Setting<String> LOG_FORMAT = Setting.of(
      "log.format", Kind.oneOf("text", "json"), "text", "How this program writes its log.");
  public static final Setting<String> LOG_LEVEL = Setting.of(
      "log.level", Kind.oneOf("error", "warn", "info", "debug"), "info", "What it writes.");

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
      SUBMIT_HANDLERS,
      EVENTS_BUFFER,
      NAMESPACES,
      ADMIN_TOKEN_FILE,
      SECRET_KEY_FILE,
      LIMIT_BODY,
      LIMIT_RATE,
      LIMIT_LOGIN_RATE,
      METRICS_ENABLED,
      METRICS_ANONYMOUS,
      LOG_FORMAT,
      LOG_LEVEL);

  /** All of them, with those of access, connections and executors. */
  public static final List<Setting<?>> ALL = Stream.of(
          OWN, AccessCatalogue.ALL, ConnectionCatalogue.ALL, ExecutorCatalogue.ALL)
      .<Setting<?>>flatMap(List::stream)
      .toList();
}
