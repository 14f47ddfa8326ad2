package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static io.belfry.executors.script.Scripts.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused when a job is saved, and when a worker is set up. */
class ScriptCheckTest {
  @TempDir
  private Path folder;

  private ScriptRules rules;

  @BeforeEach
  void make() throws IOException {
    rules = Scripts.rules(folder);
  }

  @Test
  void a_job_with_everything_is_accepted() {
    var spec = spec(
        "interpreter", "python3",
        "file", folder.resolve("allowed/job.py").toString(),
        "args", List.of("${payload.id}", 5L),
        "env", Map.of("KEY", "${secret:token}", "N", 1L),
        "workingDirectory", folder.resolve("allowed").toString(),
        "failOn", List.of("1-255"),
        "rejectOn", List.of(64L),
        "zone", "Europe/Berlin");
    assertThatCode(() -> ScriptExecutor.check(spec, rules)).doesNotThrowAnyException();
  }

  private static Stream<Arguments> bad() {
    return Stream.of(
        Arguments.of("executor.interpreter", spec("script", "true")),
        Arguments.of("executor.interpreter", spec("interpreter", "perl", "script", "1")),
        Arguments.of("executor.interpreter", spec("interpreter", "/bin/bash", "script", "true")),
        Arguments.of("executor.script", spec("interpreter", "bash")),
        Arguments.of("executor.script", spec("interpreter", "bash", "script", 5L)),
        Arguments.of("executor.script", bash("a\0b")),
        Arguments.of("executor.file", spec("interpreter", "bash", "file", "/etc/passwd")),
        Arguments.of("executor.file", spec("interpreter", "bash", "file", "job.sh")),
        Arguments.of(
            "executor.file", spec("interpreter", "bash", "file", "FOLDER/allowed/../outside.sh")),
        Arguments.of("executor.file", spec("interpreter", "bash", "file", "a\0b")),
        Arguments.of("executor.workingDirectory", bash("true", "workingDirectory", "/")),
        Arguments.of("executor.args[1]", bash("true", "args", List.of("x", "${nope}"))),
        Arguments.of("executor.args[0]", bash("true", "args", List.of(List.of("x")))),
        Arguments.of("executor.args[0]", bash("true", "args", List.of("${callback.url}"))),
        Arguments.of("executor.env.A-B", bash("true", "env", Map.of("A-B", "x"))),
        Arguments.of("executor.env.BELFRY_TOKEN", bash("true", "env", Map.of("BELFRY_TOKEN", "1"))),
        Arguments.of("executor.env.TRACEPARENT", bash("true", "env", Map.of("TRACEPARENT", "1"))),
        Arguments.of("executor.env.A", bash("true", "env", Map.of("A", "${nope}"))),
        Arguments.of("executor.rejectOn", bash("true", "rejectOn", List.of(256L))),
        Arguments.of("executor.failOn", bash("true", "failOn", List.of("9-3"))),
        Arguments.of("executor.shell", bash("true", "shell", true)),
        Arguments.of("executor.zone", bash("true", "zone", "Nowhere")));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void bad_settings_are_refused_where_they_are(String field, ExecutorSpec spec) {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> ScriptExecutor.check(spec, rules))
        .satisfies(e -> assertThat(e.field()).isEqualTo(field));
  }

  @Test
  void a_file_and_a_text_exclude_each_other() {
    var both = bash("true", "file", folder.resolve("allowed/x").toString());
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> ScriptExecutor.check(both, rules))
        .withMessageContaining("together with executor.file");
  }

  @Test
  void a_worker_without_setsid_refuses_to_offer_scripts() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> new Scripts(rules.withTools(List.of(empty))))
        .withMessageContaining("must contain setsid")
        .withMessageContaining("disable scripts");
  }

  @Test
  void rules_that_cannot_be_kept_are_refused() {
    Path bash = rules.interpreters().get("bash");
    Path temp = rules.temp();
    List.<Runnable>of(
            () -> ScriptRules.of(Map.of("bash", Path.of("bash")), temp),
            () -> ScriptRules.of(Map.of("bash", Path.of("/no/such/bash")), temp),
            () -> ScriptRules.of(Map.of("bash", Path.of("/usr/bin")), temp),
            () -> ScriptRules.of(Map.of("Bash x", bash), temp),
            () -> ScriptRules.of(Map.of("bash", bash), Path.of("/no/such/folder")),
            () -> rules.withFolder(Path.of("relative")),
            () -> rules.withPass(Set.of("A=B")),
            () -> rules.withGrace(Duration.ofHours(1)))
        .forEach(
            making -> assertThatExceptionOfType(InvalidException.class).isThrownBy(making::run));
  }
}
