package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static io.belfry.executors.script.Scripts.python;
import static io.belfry.executors.script.Scripts.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ScriptExecutorTest {
  @TempDir
  private Path folder;

  private Scripts scripts;

  @BeforeEach
  void make() throws IOException {
    scripts = new Scripts(Scripts.rules(folder));
  }

  @AfterEach
  void nothing_is_left_behind() throws IOException {
    assertThat(scripts.leftovers()).isEmpty();
  }

  @Test
  void what_is_printed_is_logged_and_is_the_message() throws Exception {
    var attempt = TestAttempt.of(bash("echo one; echo bad >&2; echo 'two ü'; printf unended"));
    Result result = scripts.executor.execute(attempt);
    assertThat(result.code()).isZero();
    assertThat(result.message()).isEqualTo("one\ntwo ü\nunended");
    assertThat(result.data().isEmpty()).isTrue();
    assertThat(attempt.logged())
        .containsSubsequence("one", "two ü", "unended")
        .contains("stderr: bad")
        .hasSize(4);
  }

  @Test
  void one_json_document_is_the_data() throws Exception {
    Result result =
        scripts.run(python("import json; print(json.dumps({'rows': [1, 2]}, indent=1))"));
    assertThat(result.data().contentType()).isEqualTo(Payload.JSON);
    assertThat(result.data().text()).isEqualTo("{\n \"rows\": [\n  1,\n  2\n ]\n}");
  }

  @Test
  void only_the_last_lines_are_the_message() throws Exception {
    Result result = scripts.run(bash("for i in {1..5000}; do echo line $i; done"));
    assertThat(result.message()).endsWith("line 4999\nline 5000").hasSizeLessThanOrEqualTo(4096);
  }

  @ParameterizedTest
  @CsvSource({
    "1, ERROR",
    "3, ERROR",
    "64, REJECTED",
    "65, REJECTED",
    "78, REJECTED",
    "79, ERROR",
    "255, ERROR"
  })
  void exit_codes_are_failures(int code, FailureKind kind) {
    Failure failure = scripts.failure(bash(
        "echo out; echo 'no such order' >&2; exit " + code, "rejectOn", List.of(64L, "65-78")));
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.result().code()).isEqualTo(code);
    assertThat(failure.result().message())
        .contains("exit code " + code)
        .endsWith(": no such order");
  }

  @Test
  void exit_codes_may_mean_something_else() throws Exception {
    assertThat(scripts.run(bash("exit 3", "failOn", List.of("1-2", 4L))).code()).isEqualTo(3);
    assertThat(scripts.failure(bash("exit 2", "failOn", List.of("1-2"))).kind())
        .isEqualTo(FailureKind.ERROR);
  }

  @Test
  void a_signal_is_told() {
    assertThat(scripts.failure(bash("kill -SEGV $$")).result().message())
        .contains("killed by signal 11");
  }

  @Nested
  class Surroundings {
    @Test
    void the_environment_is_clean() throws Exception {
      Result result = scripts.run(python("""
          import os, json
          print(json.dumps(sorted(os.environ)))"""));
      Set<String> names = new TreeSet<>(
          List.of(result.data().text().replaceAll("[\\[\\]\" ]", "").split(",")));
      names.remove("LC_CTYPE"); // Python sets it for itself
      assertThat(names)
          .containsExactly(
              "BELFRY_ATTEMPT",
              "BELFRY_IDEMPOTENCY_KEY",
              "BELFRY_JOB",
              "BELFRY_MARK",
              "BELFRY_NAMESPACE",
              "BELFRY_PAYLOAD_FILE",
              "BELFRY_SCHEDULED",
              "BELFRY_TASK",
              "BELFRY_TOKEN",
              "HOME",
              "LANG",
              "PATH",
              "TMPDIR",
              "TRACEPARENT");
    }

    @Test
    void the_script_is_told_what_a_target_is_told() throws Exception {
      var attempt = TestAttempt.of(
              bash(
                  "echo $BELFRY_TASK $BELFRY_JOB $BELFRY_ATTEMPT $BELFRY_TOKEN"
                      + " $BELFRY_IDEMPOTENCY_KEY $BELFRY_SCHEDULED $BELFRY_NAMESPACE; echo $TRACEPARENT; cat $BELFRY_PAYLOAD_FILE"))
          .payload("{\"a\": 1}");
      assertThat(scripts.executor.execute(attempt).message().lines())
          .satisfiesExactly(
              line -> assertThat(line)
                  .isEqualTo("nightly@2027-01-01T23:30:00Z nightly 2 4711 order-17"
                      + " 2027-01-01T23:30:00Z billing"),
              line -> assertThat(line).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01"),
              line -> assertThat(line).isEqualTo("{\"a\": 1}"));
    }

    @Test
    void values_are_arguments_and_never_code() throws Exception {
      var attempt = TestAttempt.of(bash(
              "printf '<%s>' \"$@\"; echo \" $WHO\"",
              "args",
              List.of("${payload.evil}", "-n ${payload.n}", "$(id)", 5L),
              "env",
              Map.of("WHO", "${payload.evil}")))
          .payload("{\"evil\": \"$(touch /tmp/pwned); `id` '\\\" | & \\n x\", \"n\": 7}");
      Result result = scripts.executor.execute(attempt);
      assertThat(result.message())
          .startsWith(
              "<$(touch /tmp/pwned); `id` '\" | & \n x><-n 7><$(id)><5> $(touch /tmp/pwned)");
    }

    @Test
    void the_folder_is_the_attempts_own() throws Exception {
      Result result = scripts.run(
          bash(
              "pwd; stat -c '%a' .; stat -c %a script payload.json; touch left; mkdir -p a/b; chmod 000 a; ln -s / root"));
      assertThat(result.message()).matches("\\Q" + scripts.temp + "\\E/belfry-\\d+\n700\n600\n600");
    }

    @Test
    void a_link_in_the_folder_is_deleted_and_not_what_it_points_to() throws Exception {
      Path precious = Files.writeString(folder.resolve("precious"), "keep me");
      scripts.run(bash("ln -s " + folder + " there; ln -s " + precious + " file"));
      assertThat(precious).hasContent("keep me");
    }

    @Test
    void a_script_may_lie_in_an_allowed_folder() throws Exception {
      Path file = Files.writeString(folder.resolve("allowed/job.sh"), "echo from $PWD");
      var spec = spec(
          "interpreter",
          "bash",
          "file",
          file.toString(),
          "workingDirectory",
          folder.resolve("allowed").toString());
      assertThat(scripts.run(spec).message()).isEqualTo("from " + folder.resolve("allowed"));
    }

    @Test
    void a_link_out_of_an_allowed_folder_is_not_followed() throws Exception {
      Path outside = Files.writeString(folder.resolve("outside.sh"), "echo outside");
      Files.createSymbolicLink(folder.resolve("allowed/link.sh"), outside);
      Failure failure = scripts.failure(
          spec("interpreter", "bash", "file", folder.resolve("allowed/link.sh").toString()));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message()).contains("inside an allowed folder");
    }

    @Test
    void names_of_the_workers_environment_are_passed_only_if_they_are_listed() throws Exception {
      var passing =
          new Scripts(Scripts.rules(folder).withPass(Set.of("JAVA_HOME", "NO_SUCH_NAME", "USER")));
      assertThat(passing.run(bash("echo \"<$JAVA_HOME>\"")).message())
          .isEqualTo("<" + System.getenv().getOrDefault("JAVA_HOME", "") + ">");
    }

    @Test
    void the_input_is_empty() throws Exception {
      assertThat(
              scripts.run(python("import sys; print(repr(sys.stdin.read()))")).message())
          .isEqualTo("''");
    }

    @Test
    void values_that_no_process_can_take_are_rejected() {
      var spec = bash("true", "args", List.of("${payload.a}"));
      for (String value : List.of("a\\u0000b", "x".repeat(150_000))) {
        Failure failure =
            scripts.failure(TestAttempt.of(spec).payload("{\"a\": \"" + value + "\"}"));
        assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
        assertThat(failure.result().message()).contains("BELFRY_PAYLOAD_FILE");
      }
    }
  }

  @Nested
  class Secrets {
    @Test
    void reach_the_script_and_nobody_else() throws Exception {
      var attempt = TestAttempt.of(bash(
          "echo \"$KEY\"; echo \"<$KEY>\" >&2; echo -n \"$KEY\" | base64; echo ${#KEY}",
          "env",
          Map.of("KEY", "${secret:token}")));
      Result result = scripts.executor.execute(attempt);
      assertThat(result.message()).isEqualTo("(secret token)\n(secret token)\n18");
      assertThat(attempt.logged())
          .contains("stderr: <(secret token)>")
          .noneMatch(line -> line.contains("s3cr3t"));
    }

    @Test
    void are_not_in_data_and_failures() throws Exception {
      var env = Map.of("KEY", "${secret:token}");
      Result result = scripts.run(bash("echo \"{\\\"k\\\": \\\"$KEY\\\"}\"", "env", env));
      assertThat(result.data()).isEqualTo(Payload.json("{\"k\": \"(secret token)\"}"));
      Failure failure = scripts.failure(bash("echo \"bad $KEY\" >&2; exit 1", "env", env));
      assertThat(failure.result().message()).endsWith("bad (secret token)");
    }

    @Test
    void are_found_also_where_a_line_is_cut() throws Exception {
      var attempt = TestAttempt.of(python(
          "import os; print('x' * 3990 + os.environ['KEY'] + 'y' * 5000)",
          "env",
          Map.of("KEY", "${secret:token}")));
      scripts.executor.execute(attempt);
      assertThat(attempt.logged().getFirst())
          .contains("xx(secret t")
          .doesNotContain("s3c")
          .endsWith("… (truncated)");
    }
  }
}
