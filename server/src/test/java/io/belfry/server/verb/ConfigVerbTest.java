package io.belfry.server.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.PrivateFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Output of {@code belfry config check} and {@code show}. */
@SuppressWarnings("NullAway.Init") // JUnit sets the folder
class ConfigVerbTest {
  @TempDir
  Path folder;

  private record Ran(int exit, String out, String err) {}

  private static Ran run(Map<String, String> environment, String... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine line = ServerVerbs.config(environment)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err));
    int exit = line.execute(words);
    return new Ran(exit, out.toString(), err.toString());
  }

  private static Ran run(String... words) {
    return run(Map.of(), words);
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("belfry.yaml"), text).toString();
  }

  @Nested
  class Check {
    @Test
    void finds_nothing_in_defaults_and_opens_nothing() throws IOException {
      Path data = folder.resolve("data");
      Ran ran = run("check", "--data", data.toString());
      assertThat(ran.exit()).as(ran.err()).isZero();
      assertThat(ran.out()).startsWith("The configuration is valid: 1 of ");
      assertThat(data).doesNotExist();
    }

    @Test
    void names_all_problems_at_once() throws IOException {
      String file = file("""
          leader: {lease: 6s, renw: 2s}
          worker: {capacity: many, weight: 0}
          dispatch: {releaseRate: 0}
          task: {retry: {delay: 10m, cap: 5m}, queueSize: 0}
          server: {listen: "0.0.0.0:8080"}
          """);
      Ran ran = run(
          Map.of("BELFRY_LOG_LEVEL", "loud", "BELFRY_WORKR_LEASE", "4s"),
          "check",
          "--config",
          file,
          "--set",
          "limit.rate=0",
          "--set",
          "namespaces=Big",
          "--set",
          "admin.tokenFile=" + folder.resolve("none"),
          "--set",
          "leader.renew=5s",
          "--set",
          "executors.http.allow=a b");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err())
          .contains("but was \"leader.renw\". Did you mean leader.renew?")
          .contains("worker.capacity must be a whole number")
          .contains("worker.weight must lie between 1")
          .contains("dispatch.releaseRate must lie between 1")
          .contains("task.retry.cap must not be shorter than task.retry.delay")
          .contains("task.queueSize must lie between 1")
          .contains("server.listen must be on loopback unless")
          .contains("BELFRY_LOG_LEVEL must be one of")
          .contains("Did you mean BELFRY_WORKER_LEASE?")
          .contains("limit.rate must lie between 1")
          .contains("namespaces: name must be")
          .contains("admin.tokenFile must name a file that can be read")
          .contains("leader.renew must be positive and fit three times into leader.lease")
          .contains("executors.http.allow")
          .startsWith("belfry: the configuration has 14 problems:");
    }

    @Test
    void names_the_namespace_whose_egress_rule_cannot_be_read() {
      assertThat(run("check", "--set", "executors.http.namespaceDeny=billing=10.0.0.0/99")
              .err())
          .contains("executors.http.namespaceDeny.billing must have 0 to 32 bits");
      assertThat(run(Map.of("BELFRY_EXECUTORS_HTTP_NAMESPACE_ALLOW", "billing"), "check")
              .err())
          .contains("BELFRY_EXECUTORS_HTTP_NAMESPACE_ALLOW must be name=value pairs");
    }

    @Test
    void wants_limits_of_connections_under_which_clients_can_work() {
      Ran ran = run(
          "check",
          "--set",
          "limit.connections=0",
          "--set",
          "limit.headTimeout=0s",
          "--set",
          "limit.idleTimeout=15s",
          "--set",
          "limit.bodyRate=0");
      assertThat(ran.err())
          .startsWith("belfry: the configuration has 4 problems:")
          .contains("limit.connections must lie between 1")
          .contains("limit.headTimeout must lie between PT1S")
          .contains("limit.idleTimeout must lie between PT20S")
          .contains("limit.bodyRate must be between 1 and 1GiB");
    }

    @Test
    void says_what_does_not_belong_to_the_engine() {
      assertThat(run("check", "--set", "store.password=x").err()).contains("engine.login");
      assertThat(run("check", "--set", "election.user=x").err())
          .contains("election.user must be set together with election.uri");
      assertThat(run("check", "--store", "mysql://h").err())
          .startsWith("belfry: store.uri must be embedded:directory");
      assertThat(
              run("check", "--store", "redis://h:1", "--set", "store.tls.key=k").err())
          .contains("store.tls.key must be set together with store.tls.certificate");
    }

    @Test
    void wants_a_key_of_the_right_length() throws IOException {
      Path key = PrivateFile.write(folder.resolve("key"), "YWJj\n");
      assertThat(run("check", "--set", "secret.keyFile=" + key).err())
          .contains("secret.keyFile must contain keys of 32 bytes in base64")
          .contains("3 bytes");
    }

    @Test
    void wants_an_admin_token_that_would_be_known_and_is_hard_to_guess() throws IOException {
      for (String bad : List.of("bft_short", "x".repeat(44), "bft_" + "x".repeat(200))) {
        Path token = PrivateFile.write(folder.resolve("token"), bad);
        assertThat(run("check", "--set", "admin.tokenFile=" + token).err())
            .contains("admin.tokenFile must contain a token that begins with bft_")
            .doesNotContain(bad);
      }
      Path token = PrivateFile.write(folder.resolve("token"), "bft_" + "x".repeat(40));
      assertThat(run("check", "--set", "admin.tokenFile=" + token).exit()).isZero();
    }

    @Test
    void a_file_that_is_not_there_or_no_yaml_is_one_problem() throws IOException {
      assertThat(run("check", "--config", "none.yaml").err())
          .startsWith("belfry: --config must name a file that can be read");
      assertThat(run("check", "--config", file("a: [")).err())
          .contains("must be a valid YAML file");
    }

    @Test
    void a_relation_is_not_held_against_a_default_when_its_partner_is_wrong() {
      Ran ran = run("check", "--set", "leader.lease=90m", "--set", "leader.renew=20m");
      assertThat(ran.err())
          .contains("leader.lease must lie between")
          .doesNotContain("leader.renew");
    }
  }

  @Nested
  class Show {
    @Test
    void tells_every_key_its_value_and_who_gave_it() throws IOException {
      String file = file("leader: {lease: 6s}\nstore: {uri: 'redis://h:1', password: hush}");
      Ran ran = run(
          Map.of("BELFRY_WORKER_CAPACITY", "7"),
          "show",
          "--config",
          file,
          "--port",
          "0",
          "--set",
          "task.timeout=1h");
      assertThat(ran.exit()).as(ran.err()).isZero();
      assertThat(ran.out())
          .containsPattern("(?m)^leader.lease +6s +" + file + "$")
          .containsPattern("(?m)^store.password +\\(hidden\\) +" + file + "$")
          .containsPattern("(?m)^worker.capacity +7 +BELFRY_WORKER_CAPACITY$")
          .containsPattern("(?m)^server.listen +127.0.0.1:0 +--port$")
          .containsPattern("(?m)^task.timeout +1h +--set$")
          .containsPattern("(?m)^leader.renew +1s +default$")
          .containsPattern("(?m)^election.uri +- +default$")
          .doesNotContain("hush");
      assertThat(ran.out().lines()).hasSize(io.belfry.server.config.SettingsCatalog.ALL.size() + 1);
    }

    @Test
    void only_what_was_changed_if_asked_as_a_tree() {
      Ran ran = run("show", "--changed", "--output", "json", "--set", "worker.weight=3");
      JsonNode tree = JsonMapper.builder().build().readTree(ran.out());
      assertThat(tree).hasSize(1);
      assertThat(tree.get(0).path("key").asString()).isEqualTo("worker.weight");
      assertThat(tree.get(0).path("value").asString()).isEqualTo("3");
      assertThat(tree.get(0).path("by").asString()).isEqualTo("--set");
      assertThat(
              run("show", "--changed", "-o", "yaml", "--set", "worker.weight=3").out())
          .contains("key: worker.weight", "by: --set");
      assertThat(run("show", "--changed").out()).isEqualTo("All settings have their defaults.\n");
    }

    @Test
    void what_cannot_be_read_is_a_sentence() {
      Ran ran = run("show", "--set", "leader.leese=3s");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err()).contains("Did you mean leader.lease?");
    }
  }

  @Test
  void nothing_asked_is_a_usage_error() {
    assertThat(run().exit()).isEqualTo(2);
    assertThat(run("check", "--help").out()).contains("Examples:", "--config");
  }
}
