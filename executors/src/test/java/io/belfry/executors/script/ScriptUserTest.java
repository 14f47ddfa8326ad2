package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static io.belfry.executors.script.Scripts.python;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belfry.executors.TestAttempt;
import io.belfry.model.InvalidException;
import io.belfry.model.task.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that run as another user try to reach what belongs to the server. */
@Timeout(120)
class ScriptUserTest {
  private static final String USER = "nobody";

  @TempDir
  private Path folder;

  private Path data;

  @BeforeEach
  void open() throws IOException {
    mode(folder, "rwxr-xr-x");
    data = Files.createDirectories(folder.resolve("data"));
    mode(data, "rwx------");
    Files.writeString(data.resolve("admin.token"), "bft_the-token-of-the-admin");
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private Scripts scripts() throws IOException {
    ScriptRules rules = Scripts.rules(folder);
    mode(rules.temp(), "rwx--x--x");
    return new Scripts(rules.withUser(USER, List.of(data)));
  }

  @Nested
  class AsRoot {
    @BeforeEach
    void as_root() {
      assumeTrue(ScriptUser.own() == 0, "only root can run programs as another user");
    }

    @Test
    void they_run_as_that_user_without_rights_of_the_server() throws Exception {
      Scripts scripts = scripts();
      Result result = scripts.run(
          bash("id -un; id -G; grep -E 'CapEff|CapPrm|NoNewPrivs' /proc/self/status; echo $PWD;"
              + " echo x > made && cat made; wc -c < $BELFRY_PAYLOAD_FILE; umask"));
      assertThat(result.message())
          .startsWith(USER + "\n")
          .contains("CapPrm:\t0000000000000000")
          .contains("CapEff:\t0000000000000000")
          .contains("NoNewPrivs:\t1")
          .contains(scripts.temp + "/belfry-");
      assertThat(scripts.leftovers()).isEmpty();
    }

    @Test
    void they_read_neither_files_nor_environment_of_the_server() throws Exception {
      Result result = scripts()
          .run(bash("cat " + data + "/admin.token; ls " + data + "; ls ..;"
              + " cat /proc/$PPID/environ | tr '\\0' '\\n'; cat /proc/"
              + ProcessHandle.current().pid()
              + "/environ; ls " + data + "/../temp; echo done"));
      assertThat(result.message()).isEqualTo("done");
    }

    @Test
    void variables_of_a_job_reach_nothing_that_runs_with_the_rights_of_the_server()
        throws Exception {
      Path proof = Files.createDirectories(folder.resolve("proof"));
      var unused = scripts()
          .run(bash(
              "echo done",
              "env",
              Map.of(
                  "LD_DEBUG",
                  "libs",
                  "LD_DEBUG_OUTPUT",
                  proof.resolve("written").toString())));
      try (var files = Files.list(proof)) {
        assertThat(files).as("files that only the server could write").isEmpty();
      }
    }

    @Test
    void they_get_the_variables_of_the_job_and_nothing_else() throws Exception {
      String odd = "it's \"$HOME\" `id` \\ $(id)\n a second line ü";
      String names = scripts()
          .run(python(
              "import os; print(' '.join(sorted(os.environ)))",
              "env",
              Map.of("ODD", odd, "IFS", "x")))
          .message();
      assertThat(names.split(" ", -1))
          .contains("ODD", "IFS", "HOME", "BELFRY_TASK", "PATH")
          .doesNotContain("PWD", "OLDPWD", "LC_ALL");
      String shown =
          scripts().run(bash("printf %s \"$ODD\"", "env", Map.of("ODD", odd))).message();
      assertThat(shown).isEqualTo(odd);
    }

    @Test
    void what_they_leave_is_deleted_and_nothing_else() throws Exception {
      Path outside = Files.createDirectories(folder.resolve("outside"));
      Files.writeString(outside.resolve("kept"), "kept");
      Scripts scripts = scripts();
      scripts.run(bash("mkdir -p a/b; echo x > a/b/c; chmod 000 a/b a; ln -s " + outside
          + " link; touch -- -rf ' b' $'new\\nline' .hidden ..odd; mkdir locked; chmod 500 locked;"
          + " chmod 500 ."));
      assertThat(scripts.leftovers()).isEmpty();
      assertThat(outside.resolve("kept")).hasContent("kept");
    }

    @Test
    void all_their_processes_end_with_the_attempt() throws Exception {
      Scripts scripts = scripts();
      var attempt = TestAttempt.of(bash("trap '' TERM; sleep 1000 & setsid sleep 1001 &"
          + " echo pids $$ $!; while :; do sleep 0.1; done"));
      Scripts.Background running = scripts.inBackground(attempt);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> attempt.logged().stream().anyMatch(line -> line.startsWith("pids")));
      running.thread().interrupt();
      assertThat(running.thrown().get(60, TimeUnit.SECONDS))
          .isInstanceOf(InterruptedException.class);
      String pids = attempt.logged().stream()
          .filter(line -> line.startsWith("pids"))
          .findFirst()
          .orElseThrow();
      for (String pid : pids.substring("pids ".length()).split(" ", -1)) {
        assertThat(AttemptProcesses.environment(Long.parseLong(pid)))
            .as(pid)
            .isEmpty(); // zombies have none
      }
      assertThat(scripts.leftovers()).isEmpty();
    }

    @Test
    void an_attempt_that_ends_before_its_folder_was_handed_over_leaves_nothing() throws Exception {
      Scripts scripts = scripts();
      var unused = scripts.failure(bash("true", "args", List.of("${payload.missing}")));
      assertThat(scripts.leftovers()).isEmpty();
    }

    /**
     * As one of another namespace can, because all scripts share their user. It leaves the start of a script alone, which deletes a file with {@code rm
     * -f}: whoever stops that stops the script itself, until its timeout.
     */
    @Test
    void one_that_stops_the_cleanup_of_another_holds_it_up_for_a_limited_time() throws Exception {
      Path drop = Files.createDirectories(folder.resolve("drop"));
      mode(drop, "rwxrwxrwx");
      ScriptRules rules = scripts().rules;
      Scripts scripts = Scripts.deleting(rules, Duration.ofSeconds(2), Duration.ofMillis(500));
      Scripts.Background attacker = new Scripts(rules)
          .inBackground(TestAttempt.of(python("""
          import os, signal
          open('%1$s/begun', 'w').close()
          while True:
              for pid in os.listdir('/proc'):
                  try:
                      line = open('/proc/' + pid + '/cmdline').read()
                      cleans = line.startswith(('chmod\\0', 'find\\0', 'rm\\0-rf\\0'))
                      if '%2$s' in line and cleans:
                          os.kill(int(pid), signal.SIGSTOP)
                          open('%1$s/stopped', 'w').close()
                  except (OSError, ValueError): pass
          """.formatted(drop, scripts.temp))));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Files.exists(drop.resolve("begun")) || attacker.thrown().isDone());
      assertThat(
              scripts.run(bash("mkdir d; cd d; touch f{1..20000}; echo made")).message())
          .isEqualTo("made");
      assertThat(drop.resolve("stopped")).exists();
      assertThat(scripts.leftovers()).as("it and that of the attacker").hasSize(2);
      attacker.thread().interrupt();
      assertThat(attacker.thrown().get(60, TimeUnit.SECONDS))
          .isInstanceOf(InterruptedException.class);
      await().atMost(Duration.ofSeconds(60)).until(() -> scripts.leftovers().isEmpty());
      scripts.executor.close();
    }

    @Test
    void a_user_who_can_look_into_the_data_directory_is_refused() throws Exception {
      mode(data, "rwxr-xr-x");
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(ScriptUserTest.this::scripts)
          .withMessageContaining("chmod 700 " + data);
    }

    /** As a script can do that a server before this one has left behind. */
    @Test
    void a_look_into_the_data_directory_that_was_cut_short_proves_nothing() throws Exception {
      ScriptRules rules = Scripts.rules(folder);
      mode(rules.temp(), "rwx--x--x");
      Path tools = Files.createDirectory(folder.resolve("tools"));
      Path setpriv =
          Files.writeString(tools.resolve("setpriv"), """
          #!/bin/sh
          case "$*" in *"test -x"*) kill -KILL $$ ;; *) exec %s "$@" ;; esac
          """.formatted(rules.tool("setpriv")));
      mode(setpriv, "rwxr-xr-x");
      ScriptRules killing = rules.withTools(
          Stream.concat(Stream.of(tools), rules.tools().stream()).toList());
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> killing.withUser(USER, List.of(data)))
          .withMessageContaining("script.user must be a user for which this server can start");
    }

    @Test
    void a_folder_that_the_user_cannot_reach_is_refused() throws Exception {
      mode(folder, "rwx------");
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(ScriptUserTest.this::scripts)
          .withMessageContaining("script.user must be a user for which this server can start");
    }
  }

  @Test
  void root_the_own_user_and_users_that_do_not_exist_are_refused() throws Exception {
    ScriptRules rules = Scripts.rules(folder);
    for (String user : List.of("root", "0", "no-such-user-here", "-u", "", "nobody; id")) {
      assertThatExceptionOfType(InvalidException.class)
          .as(user)
          .isThrownBy(() -> rules.withUser(user, List.of()))
          .matches(e -> e.field().equals("script.user"));
    }
  }

  @Test
  void a_server_that_may_not_change_its_user_says_so() throws Exception {
    assumeTrue(ScriptUser.own() != 0, "root may change its user");
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(this::scripts)
        .withMessageContaining("CAP_SETUID");
  }

  @Test
  void a_folder_that_was_cleaned_away_is_made_again_and_one_of_another_user_is_not_used()
      throws Exception {
    Scripts scripts = new Scripts(Scripts.rules(folder));
    Files.delete(scripts.temp);
    assertThat(scripts.run(bash("echo here")).message()).isEqualTo("here");
    assumeTrue(ScriptUser.own() == 0, "only root can give a folder away");
    Files.setAttribute(scripts.temp, "unix:uid", 65534);
    assertThat(scripts.failure(bash("echo here")).result().message())
        .contains("belongs to another user");
  }
}
