package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.Executor;
import io.belfry.core.history.RetainSettings;
import io.belfry.model.InvalidException;
import io.belfry.model.task.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  @Test
  void the_defaults_fit_together() {
    Settings defaults = Settings.defaults();
    assertThat(defaults.checked()).isSameAs(defaults);
  }

  @Test
  void a_change_leaves_the_settings_it_came_from_alone() {
    Settings before = Settings.defaults();
    assertThat(before.workerCapacity(3).options().workerCapacity).isEqualTo(3);
    assertThat(before.options().workerCapacity).isEqualTo(10);
  }

  @Test
  void relations_are_refused_with_both_sides_and_a_remedy() {
    assertThatThrownBy(
            () -> Settings.defaults().leaderRenew(Duration.ofSeconds(2)).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("leader.lease (PT3S)")
        .hasMessageContaining("PT1S or less");
    assertThatThrownBy(
            () -> Settings.defaults().workerHeartbeat(Duration.ofSeconds(3)).checked())
        .hasMessageContaining("worker.lease (PT4S)");
    assertThatThrownBy(() -> Settings.defaults().strategy("best").checked())
        .hasMessageContaining("least-tasks");
    assertThatThrownBy(() -> Settings.defaults().queueSize(0).checked())
        .hasMessageContaining("queueSize");
  }

  private record Own(String type) implements Executor {
    @Override
    public Result execute(AttemptContext attempt) {
      return Result.OK;
    }
  }

  @Test
  void two_executors_of_one_type_are_refused_also_if_one_is_built_in() {
    Settings one = Settings.defaults().executor(new Own("mail"));
    one.executor(new Own("post")).checked();
    assertThatThrownBy(() -> one.executor(new Own("mail")).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("executor.type must be registered once")
        .hasMessageContaining("mail");
    assertThatThrownBy(() -> one.executor(new Own("local")).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("local");
  }

  @Test
  void how_long_things_are_kept_is_set_and_bounded() {
    Settings settings = Settings.defaults()
        .retainTasks(Duration.ofHours(1))
        .retainRollups(Duration.ofDays(2))
        .retainLogs(Duration.ofMinutes(5))
        .retainLogBytes(5 << 20)
        .retainBytes(6 << 20)
        .checked();
    RetainSettings retain = settings.leaderSettings().retain();
    assertThat(retain.tasks()).isEqualTo(Duration.ofHours(1));
    assertThat(retain.rollups()).isEqualTo(Duration.ofDays(2));
    assertThat(retain.logs()).isEqualTo(Duration.ofMinutes(5));
    assertThat(retain.logBytes()).isEqualTo(5 << 20);
    assertThat(retain.historyBytes()).isEqualTo(6 << 20);
    assertThat(Settings.defaults().leaderSettings().retain()).isEqualTo(RetainSettings.DEFAULT);

    assertThatThrownBy(
            () -> Settings.defaults().retainTasks(Duration.ofSeconds(1)).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("retain.tasks");
    assertThatThrownBy(() -> Settings.defaults().retainLogBytes(1000).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("retain.logBytes");
  }

  @Test
  void what_an_engine_has_no_use_for_is_refused() {
    assertThatThrownBy(() ->
            Settings.defaults().store(Engine.at("embedded:x").login("a", "b")).checked())
        .hasMessageContaining("no users");
    assertThatThrownBy(
            () -> Settings.defaults().store(Engine.at("etcd://h:1").database(2)).checked())
        .hasMessageContaining("only Redis");
    assertThat(Engine.at("redis://h:1").login("a", "secret").toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "belfry,             /belfry/n/",
    "/belfry/,           /belfry/n/",
    "/my-app/scheduler/, /my-app/scheduler//n/",
    "my-app/scheduler,   /my-app/scheduler//n/"
  })
  void a_prefix_on_etcd_may_be_a_path(String prefix, String keys) {
    Settings.defaults().store("etcd://h:1").prefix(prefix).checked();
    assertThat(KeyPrefix.parse(prefix).onEtcd("n")).isEqualTo(keys);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "//a/", "a//b", "My-App", "a/B", "/a b/"})
  void a_prefix_that_is_neither_a_name_nor_a_path_is_refused(String prefix) {
    assertThatThrownBy(
            () -> Settings.defaults().store("etcd://h:1").prefix(prefix).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("prefix");
  }

  @Test
  void a_path_on_redis_is_refused_with_what_to_write_instead() {
    assertThatThrownBy(() -> Settings.defaults()
            .store("redis://h:1")
            .prefix("/my-app/scheduler/")
            .checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("my-app.scheduler");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      embedded:belfry-data                    | EMBEDDED
      etcd://a:2379,b:2379                    | ETCD
      etcds://a:2379                          | ETCD
      redis://a:6379                          | REDIS
      rediss://a:6379                         | REDIS
      redis+sentinel://a:26379,b:26379/main   | REDIS
      redis+cluster://a:6379,b:6379           | REDIS
      """)
  void every_documented_address_is_read(String uri, StoreUri.Kind kind) {
    assertThat(StoreUri.parse(uri).kind()).isEqualTo(kind);
    Settings.defaults().store(uri).checked();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "redis", "mysql://h:1", "embedded:", "etcd:h:1", "redis://u:p@h:1"})
  void anything_else_is_refused(String uri) {
    assertThatThrownBy(() -> StoreUri.parse(uri))
        .isInstanceOf(InvalidException.class)
        .hasMessageNotContaining("u:p");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://h", "redis+sentinel://h:1", "etcd://", "redis://h:1,i:2"})
  void an_address_that_its_engine_cannot_read_is_refused_before_anything_is_opened(String uri) {
    assertThatThrownBy(() -> Settings.defaults().store(uri).checked())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
