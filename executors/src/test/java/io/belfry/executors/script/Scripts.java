package io.belfry.executors.script;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.TestAttempt;
import io.belfry.executors.secret.SecretValue;
import io.belfry.executors.secret.Secrets;
import io.belfry.executors.template.Scope;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A script executor on real interpreters, put together for a test. */
final class Scripts {
  static final Map<String, String> SECRETS = Map.of("token", "s3cr3t-token-value");

  final Path temp;
  final ScriptRules rules;
  final ScriptExecutor executor;

  Scripts(ScriptRules rules) {
    this(rules, name -> Optional.ofNullable(SECRETS.get(name)).map(SecretValue::unrestricted));
  }

  Scripts(ScriptRules rules, Secrets secrets) {
    this(rules, new ScriptExecutor(rules, scope(secrets)));
  }

  private Scripts(ScriptRules rules, ScriptExecutor executor) {
    this.temp = rules.temp();
    this.rules = rules;
    this.executor = executor;
  }

  private static Scope scope(Secrets secrets) {
    return new Scope("billing", secrets, Time.system());
  }

  /**
   * Whose folders are deleted in a hurry.
   *
   * @param limit how long an attempt waits for that
   * @param pause before it is tried again
   */
  static Scripts deleting(ScriptRules rules, Duration limit, Duration pause) {
    Secrets none = name -> Optional.empty();
    return new Scripts(
        rules,
        new ScriptExecutor(rules, scope(none), new FolderCleanup(limit, pause, Time.system())));
  }

  static ScriptRules rules(Path folder) throws IOException {
    Path temp = Files.createDirectories(folder.resolve("temp"));
    Path allowed = Files.createDirectories(folder.resolve("allowed"));
    return ScriptRules.of(Map.of("bash", find("bash"), "python3", find("python3")), temp)
        .withFolder(allowed)
        .withGrace(Duration.ofMillis(500));
  }

  private static Path find(String name) {
    return Stream.of("/usr/bin", "/bin", "/usr/local/bin")
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(name + " must be installed for these tests"));
  }

  /** Settings: names and values in turn. */
  static ExecutorSpec spec(Object... settings) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put((String) settings[i], settings[i + 1]);
    }
    return new ExecutorSpec("script", map);
  }

  static ExecutorSpec bash(String script, Object... more) {
    return with("bash", script, more);
  }

  static ExecutorSpec python(String script, Object... more) {
    return with("python3", script, more);
  }

  private static ExecutorSpec with(String interpreter, String script, Object... more) {
    var all = new Object[more.length + 4];
    all[0] = "interpreter";
    all[1] = interpreter;
    all[2] = "script";
    all[3] = script;
    System.arraycopy(more, 0, all, 4, more.length);
    return spec(all);
  }

  Result run(ExecutorSpec spec) throws AttemptException, InterruptedException {
    return executor.execute(TestAttempt.of(spec));
  }

  Failure failure(ExecutorSpec spec) {
    return failure(TestAttempt.of(spec));
  }

  Failure failure(TestAttempt attempt) {
    Throwable thrown = catchThrowable(() -> executor.execute(attempt));
    if (thrown instanceof AttemptException failed) {
      return failed.failure();
    }
    throw new AssertionError("expected a failure, got " + thrown, thrown);
  }

  record Background(Thread thread, CompletableFuture<Throwable> thrown) {}

  /** On a thread of its own, which the test may interrupt. */
  Background inBackground(TestAttempt attempt) {
    var ended = new CompletableFuture<Throwable>();
    Thread thread = Thread.ofVirtual().start(() -> {
      Throwable thrown = catchThrowable(() -> executor.execute(attempt));
      ended.complete(thrown == null ? new AssertionError("it succeeded") : thrown);
    });
    return new Background(thread, ended);
  }

  /** What attempts have left in the temporary folder. */
  List<Path> leftovers() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.toList();
    }
  }
}
