package io.belfry.server.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading of configurations. */
class ConfigTest {
  private static final String FILE = """
      node: {name: bell-1, roles: [scheduler]}
      leader:
        lease: 6s
        renew: 2s
      worker:
        labels: {region: eu, disk: ssd}
        capacity: 50
      store: {uri: "redis://localhost:6379", password: hush}
      limit: {body: 2MiB}
      task: {retry: {backoff: 1.5}}
      """;

  private final Config file = Config.defaults().file(FILE, "belfry.yaml");

  @Nested
  class Order {
    @Test
    void a_file_wins_over_defaults_a_variable_over_the_file_and_a_flag_over_all() {
      assertThat(Config.defaults().get(SettingsCatalog.LEADER_LEASE))
          .isEqualTo(Duration.ofSeconds(3));
      assertThat(file.get(SettingsCatalog.LEADER_LEASE)).isEqualTo(Duration.ofSeconds(6));
      Config variables = file.variables(Map.of("BELFRY_LEADER_LEASE", "9s"), List.of());
      assertThat(variables.get(SettingsCatalog.LEADER_LEASE)).isEqualTo(Duration.ofSeconds(9));
      assertThat(variables.set("leader.lease=12s").get(SettingsCatalog.LEADER_LEASE))
          .isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void each_value_tells_who_gave_it_and_secrets_do_not_tell_what_they_are() {
      Map<String, Config.Line> lines = lines(file.set("worker.weight=3"));
      assertThat(lines.get("worker.weight"))
          .isEqualTo(
              new Config.Line(SettingsCatalog.WORKER_WEIGHT, java.util.Optional.of("3"), "--set"));
      assertThat(requireNonNull(lines.get("store.password")).value()).contains("(hidden)");
      assertThat(requireNonNull(lines.get("leader.lease")).by()).isEqualTo("belfry.yaml");
      assertThat(requireNonNull(lines.get("task.timeout")).by()).isEqualTo("default");
      assertThat(lines.values().toString()).doesNotContain("hush");
    }

    private static Map<String, Config.Line> lines(Config config) {
      return config.lines().stream()
          .collect(java.util.stream.Collectors.toMap(line -> line.setting().key(), line -> line));
    }
  }

  @Nested
  class Values {
    @Test
    void are_typed() {
      assertThat(file.get(SettingsCatalog.WORKER_LABELS))
          .isEqualTo(Map.of("region", "eu", "disk", "ssd"));
      assertThat(file.get(SettingsCatalog.NODE_ROLES)).containsExactly("scheduler");
      assertThat(file.get(SettingsCatalog.LIMIT_BODY)).isEqualTo(2L << 20);
      assertThat(file.get(SettingsCatalog.TASK_RETRY_BACKOFF)).isEqualTo(1.5);
      assertThat(file.find(SettingsCatalog.ELECTION_URI)).isEmpty();
    }

    @Test
    void of_variables_are_written_in_one_line() {
      Config config = Config.defaults()
          .variables(
              Map.of(
                  "BELFRY_WORKER_LABELS", "region=eu, disk=ssd",
                  "BELFRY_NODE_ROLES", "worker",
                  "BELFRY_WORKER_IDLE_TIMEOUT", "1h30m",
                  "PATH", "/bin"),
              List.of());
      assertThat(config.get(SettingsCatalog.WORKER_LABELS))
          .isEqualTo(Map.of("region", "eu", "disk", "ssd"));
      assertThat(config.get(SettingsCatalog.NODE_ROLES)).containsExactly("worker");
      assertThat(config.find(SettingsCatalog.WORKER_IDLE)).contains(Duration.ofMinutes(90));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "leader.lease=5",
          "leader.lease=soon",
          "leader.lease=99999999999999d",
          "worker.capacity=ten",
          "worker.capacity=1.5",
          "worker.capacity=99999999999",
          "metrics.enabled=maybe",
          "limit.body=much",
          "limit.body=99999999999999GiB",
          "log.format=xml",
          "worker.labels=region",
          "task.retry.backoff=NaN"
        })
    void that_cannot_be_read_are_refused_with_their_key(String pair) {
      assertThatThrownBy(() -> Config.defaults().set(pair))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining(pair.substring(0, pair.indexOf('=')));
    }
  }

  @Nested
  class Mistakes {
    @Test
    void in_keys_come_with_a_suggestion() {
      assertThatThrownBy(() -> Config.defaults().file("leader: {leese: 5s}", "f"))
          .hasMessageContaining("leader.leese")
          .hasMessageContaining("Did you mean leader.lease?");
      assertThatThrownBy(() -> Config.defaults().set("leader.renwe=5s"))
          .hasMessageContaining("Did you mean leader.renew?");
      assertThatThrownBy(
              () -> Config.defaults().variables(Map.of("BELFRY_LEADER_LEAS", "5s"), List.of()))
          .hasMessageContaining("Did you mean BELFRY_LEADER_LEASE?");
    }

    @Test
    void variables_of_others_are_left_alone() {
      assertThat(Config.defaults()
              .variables(Map.of("BELFRY_URL", "http://x"), List.of("BELFRY_URL"))
              .lines())
          .isEqualTo(Config.defaults().lines());
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "- a list",
          "just text",
          "leader: [1, 2]",
          "leader: {lease: 5s, lease: 6s}",
          "leader: {lease: {of: 5s}}",
          "leader: {lease: [5s]}",
          "a: [",
          "node: {roles: {a: b}}",
          "worker: {labels: [a]}",
          "leader: {lease: null}",
          "!!javax.script.ScriptEngineManager [x]"
        })
    void in_the_file_stop_the_start(String text) {
      assertThatThrownBy(() -> Config.defaults().file(text, "belfry.yaml"))
          .isInstanceOf(InvalidException.class);
    }

    @Test
    void an_empty_file_is_none() {
      assertThat(Config.defaults().file("", "f").lines())
          .isEqualTo(Config.defaults().lines());
      assertThat(Config.defaults().file("# nothing\n", "f").lines())
          .isEqualTo(Config.defaults().lines());
    }
  }

  @Test
  void every_key_and_every_variable_is_there_once_and_every_default_can_be_written_and_read() {
    Set<String> names = new HashSet<>();
    for (Setting<?> setting : SettingsCatalog.ALL) {
      assertThat(names.add(setting.key())).as(setting.key()).isTrue();
      assertThat(names.add(setting.variable())).as(setting.variable()).isTrue();
      assertThat(setting.meaning()).endsWith(".");
      roundTrip(setting);
    }
  }

  private static <T> void roundTrip(Setting<T> setting) {
    setting
        .usual()
        .ifPresent(value -> assertThat(
                setting.kind().parse().of(setting.key(), setting.kind().show().apply(value)))
            .isEqualTo(value));
  }
}
