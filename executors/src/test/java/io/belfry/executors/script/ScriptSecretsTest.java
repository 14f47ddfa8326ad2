package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.Destinations;
import io.belfry.executors.secret.SecretValue;
import io.belfry.executors.secret.Secrets;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script gets a secret only if the secret is for scripts. */
@Timeout(120)
class ScriptSecretsTest {
  @TempDir
  private Path folder;

  private final List<String> refused = new ArrayList<>();

  private final class Stored implements Secrets {
    @Override
    public Optional<SecretValue> find(String name) {
      return Optional.of(new SecretValue(
          "value-of-" + name,
          Destinations.parse(
              "d", List.of(name.equals("tool") ? "script" : "https://billing.example.org"))));
    }

    @Override
    public void refused(String name, Destination to) {
      refused.add(name + " to " + to);
    }
  }

  @Test
  void environment_and_arguments_take_secrets_for_scripts_only() throws Exception {
    var scripts = new Scripts(Scripts.rules(folder), new Stored());
    String length = "echo ${#KEY} ${#1}";
    assertThat(scripts
            .run(bash(length, "env", Map.of("KEY", "${secret:tool}"), "args", List.of("x")))
            .message())
        .isEqualTo("13 1");
    for (ExecutorSpec spec : List.of(
        bash(length, "env", Map.of("KEY", "${secret:billing}")),
        bash(length, "args", List.of("${secret:billing}")))) {
      Failure failure = scripts.failure(spec);
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message())
          .contains("must not use secret billing")
          .doesNotContain("value-of");
    }
    assertThat(refused).containsExactly("billing to script", "billing to script");
    assertThat(scripts.leftovers()).isEmpty();
  }

  @Test
  void variables_of_the_server_itself_cannot_be_passed_on() throws Exception {
    ScriptRules rules = Scripts.rules(folder);
    for (String name : List.of("BELFRY_STORE_PASSWORD", "BELFRY_ADMIN_TOKEN_FILE")) {
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> rules.withPass(Set.of(name)));
    }
  }

  /** A line is read so far and no further; what is taken out of it makes room for what was cut. */
  @Test
  void a_line_that_is_cut_leaves_no_piece_of_a_secret() throws Exception {
    String secret = "Zq7Rk2Wm9Xv4Tn8BpL3cYd5Fs6Gh1Jw0Qe8Ua2Io4Pz9Cx7Vb3Nm6";
    var scripts =
        new Scripts(Scripts.rules(folder), name -> Optional.of(SecretValue.unrestricted(secret)));
    for (int before = 0; before < secret.length(); before += 5) {
      ExecutorSpec spec = Scripts.python(
          "import os; print('x' * %d + os.environ['KEY'] * 4000)".formatted(before),
          "env",
          Map.of("KEY", "${secret:t}"));
      var attempt = TestAttempt.of(spec);
      String message = scripts.executor.execute(attempt).message();
      String line = attempt.logged().getFirst();
      assertThat(line).endsWith(" … (truncated)");
      for (int i = 0; i + 5 <= secret.length(); i++) {
        assertThat(message + line).doesNotContain(secret.substring(i, i + 5));
      }
    }
  }

  /** They are replaced in what is shown, and would not be found afterwards. */
  @Test
  void a_secret_with_control_characters_is_hidden() throws Exception {
    var scripts = new Scripts(
        Scripts.rules(folder), name -> Optional.of(SecretValue.unrestricted("ab\u001bcd\u0007ef")));
    assertThat(scripts
            .run(bash("echo \"<$KEY>\"", "env", Map.of("KEY", "${secret:tool}")))
            .message())
        .isEqualTo("<(secret tool)>");
  }
}
