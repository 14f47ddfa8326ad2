package io.belfry.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The configuration page matches the program. */
class ConfigurationDocTest {
  private static final Path DOC = Path.of("../docs/configuration.md");

  /** Settings of another scheduler on Redis, and options of one on etcd. */
  private static final List<String> ELSEWHERE = List.of(
      "leader_lock_ttl",
      "leader_renew_interval",
      "scan_interval",
      "heartbeat_interval",
      "heartbeat_timeout",
      "max_concurrent_tasks",
      "default_timeout",
      "max_retry",
      "retry_delay",
      "backoff_rate",
      "redis.addr",
      "redis.password",
      "redis.db",
      "redis.pool_size",
      "NodeID",
      "EtcdEndpoints",
      "EtcdKeyPrefix",
      "HeartbeatInterval",
      "TaskTimeout",
      "WorkerTimeout",
      "WorkerTTL",
      "ElectionTimeout",
      "LoadBalanceStrategy",
      "EnableMetrics",
      "EnableTracing",
      "MaxRetryAttempts",
      "RetryBackoffBase",
      "RetryBackoffMax",
      "TaskQueueSize",
      "WorkerPoolSize",
      "WorkerID",
      "WorkerName",
      "MaxConcurrency",
      "IdleTimeout",
      "EnableHealthCheck",
      "BufferSize",
      "EnableCompression");

  @Test
  void the_page_lists_what_the_catalogue_has() throws IOException {
    String page = Files.readString(DOC);
    int begin = page.indexOf(ConfigurationDoc.BEGIN.substring(0, 40));
    assertThat(begin).as("the place where the printed part begins").isPositive();
    String anew = page.substring(0, begin) + ConfigurationDoc.printed();
    if (System.getProperty("belfry.docs", "").equals("write")) {
      Files.writeString(DOC, anew);
    }
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target/configuration.md"), anew);
    assertThat(Files.readString(DOC))
        .as("print it again: " + ConfigurationDoc.WRITE)
        .isEqualTo(anew);
  }

  @Test
  void the_whole_catalogue_is_listed_and_no_key_twice() {
    Set<String> keys = new HashSet<>();
    for (Setting<?> setting : SettingsCatalog.ALL) {
      assertThat(keys.add(setting.key())).as(setting.key()).isTrue();
    }
    long declared = Stream.of(
            SettingsCatalog.class,
            AccessSettings.class,
            ConnectionSettings.class,
            ExecutorSettings.class)
        .flatMap(catalogue -> Stream.of(catalogue.getDeclaredFields()))
        .filter(field -> field.getType() == Setting.class)
        .count();
    assertThat(declared).isEqualTo(SettingsCatalog.ALL.size());
  }

  @Test
  void everything_that_others_let_their_users_set_has_a_place_or_a_reason() {
    Set<String> covered = new HashSet<>(ConfigurationDoc.WITHOUT_KEY.keySet());
    SettingsCatalog.ALL.forEach(setting -> covered.addAll(setting.knownAs()));
    assertThat(covered).containsExactlyInAnyOrderElementsOf(ELSEWHERE);
  }

  @Test
  void the_example_file_of_the_page_is_one_that_a_node_takes() throws IOException {
    Matcher example =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOC));
    assertThat(example.find()).isTrue();
    Config config = Config.defaults().file(example.group(1), "the page");
    assertThat(config.get(SettingsCatalog.NODE_NAME)).isEqualTo("bell-1");
    assertThat(config.get(SettingsCatalog.WORKER_LABELS)).isEqualTo(Map.of("region", "eu"));
  }
}
