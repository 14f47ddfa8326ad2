package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.SettingsCache;
import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.RedactedOutcome;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.settings.PlanCache;
import io.belfry.executors.template.Scope;
import io.belfry.executors.template.Template;
import io.belfry.executors.template.Values;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Executes attempts by running a script: {@code {type: script, interpreter: bash, script: "echo hello"}}.
 *
 * <p>Threading: safe.
 */
public final class ScriptExecutor implements Executor, SettingsCache {
  public static final String TYPE = "script";

  private static final int VALUE_BYTES_MAX = 100 * 1024;
  private static final int VALUES_BYTES_MAX = 512 * 1024;
  private static final Duration DELETING = Duration.ofMinutes(1);
  private static final Duration DELETED_AGAIN = Duration.ofMinutes(1);

  private final ScriptRules rules;
  private final Scope scope;
  private final SystemCommand tool;
  private final Path mkfifo;
  private final FolderCleanup leftovers;
  private final PlanCache<ScriptPlan> plans;

  /**
   * For one namespace.
   *
   * @throws io.belfry.model.InvalidException if this machine cannot stop a script with all its children
   */
  public ScriptExecutor(ScriptRules rules, Scope scope) {
    this(rules, scope, new FolderCleanup(DELETING, DELETED_AGAIN, scope.time()));
  }

  ScriptExecutor(ScriptRules rules, Scope scope, FolderCleanup leftovers) {
    this.rules = rules;
    this.scope = scope;
    this.tool = SystemCommand.of(rules, scope.time());
    this.mkfifo = rules.tool("mkfifo");
    this.leftovers = leftovers;
    Check.that(
        Files.isReadable(AttemptProcesses.PROC.resolve("self/stat")),
        "script",
        new Check.Plain("on a machine without /proc"),
        "must run on Linux with /proc, because Belfry finds the processes of a script there",
        "Disable scripts on this worker.");
    this.plans = new PlanCache<>(spec -> ScriptPlan.of(spec, rules));
  }

  /**
   * Refuses settings that cannot work with any payload.
   *
   * @throws io.belfry.model.InvalidException with the path of the setting
   */
  public static void check(ExecutorSpec spec, ScriptRules rules) {
    var unused = ScriptPlan.of(spec, rules);
  }

  @Override
  public String type() {
    return TYPE;
  }

  /** Folders of attempts that could not be deleted then stay on disk. */
  @Override
  public void close() {
    leftovers.close();
  }

  @Override
  public long cacheBytes() {
    return plans.bytes();
  }

  @Override
  public Result execute(AttemptContext attempt) throws AttemptException, InterruptedException {
    var redaction = new Redaction();
    return RedactedOutcome.of(
        redaction, () -> carryOut(attempt, plans.of(attempt.executor()), redaction));
  }

  private Result carryOut(AttemptContext attempt, ScriptPlan plan, Redaction redaction)
      throws AttemptException, InterruptedException {
    try {
      AttemptFolder place = AttemptFolder.in(rules, scope.time());
      try (OutputPipes pipes = OutputPipes.make(place, mkfifo, tool)) {
        ProcessBuilder builder = builder(attempt, plan, place, redaction);
        var run = new ScriptRun(attempt, scope, plan, redaction, rules.grace());
        return run.carryOut(builder, place, pipes, tool);
      } finally {
        leftovers.delete(place);
      }
    } catch (IOException e) {
      throw new AttemptException(Failure.error(
          "the folder and the output pipes of the script could not be created: " + e));
    }
  }

  private ProcessBuilder builder(
      AttemptContext attempt, ScriptPlan plan, AttemptFolder place, Redaction redaction)
      throws AttemptException, IOException {
    var to = new Destination.Script();
    var values = new Values(attempt, scope, plan.zone(), Optional.empty(), to, redaction);
    var bytes = new int[1];
    var command = new ArrayList<String>();
    command.add(plan.interpreter().toString());
    command.add(code(plan, place).toString());
    for (Template arg : plan.args()) {
      command.add(filled(arg, values, "executor.args", bytes));
    }
    var variables = new LinkedHashMap<String, String>();
    for (var entry : plan.env().entrySet()) {
      variables.put(entry.getKey(), filled(entry.getValue(), values, "executor.env", bytes));
    }
    Path payload = place.write(payloadName(attempt), attempt.payload().bytes());
    Environment.of(attempt, scope, place, payload, rules).forEach(variables::putIfAbsent);
    ProcessBuilder builder = builder(command, variables, place);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Path folder = plan.workingDirectory().isPresent()
        ? real("executor.workingDirectory", plan.workingDirectory().get())
        : place.folder();
    builder.directory(folder.toFile());
    place.give();
    return builder;
  }

  /**
   * Starts it in a session of its own from the first program on, so that it can be stopped while it is starting. Programs that run before the
   * change of user must not get the job's variables, because the dynamic loader obeys some of them.
   */
  private ProcessBuilder builder(
      List<String> command, Map<String, String> variables, AttemptFolder place) throws IOException {
    var all = new ArrayList<String>();
    all.add(tool.setsid().toString());
    var builder = new ProcessBuilder(all);
    builder.environment().clear();
    if (rules.user().isPresent()) {
      Path file = place.write("environment", Environment.asShell(variables).getBytes(UTF_8));
      all.addAll(rules.user().get().command(command, file));
      builder.environment().put("PATH", SystemCommand.PATH);
      builder.environment().put(Environment.MARK, place.mark());
    } else {
      all.addAll(command);
      builder.environment().putAll(variables);
    }
    return builder;
  }

  private static String payloadName(AttemptContext attempt) {
    return attempt.payload().contentType().startsWith(Payload.JSON) ? "payload.json" : "payload";
  }

  private Path code(ScriptPlan plan, AttemptFolder place) throws AttemptException, IOException {
    return plan.script().isPresent()
        ? place.write("script", plan.script().get().getBytes(UTF_8))
        : real("executor.file", plan.file().orElseThrow());
  }

  /** The path with all links resolved, which must be in an allowed folder as well. */
  private Path real(String field, Path path) throws AttemptException {
    try {
      Path real = path.toRealPath();
      for (Path folder : rules.folders()) {
        if (real.startsWith(folder.toRealPath())) {
          return real;
        }
      }
      throw ScriptPlan.outside(field, path.toString(), rules);
    } catch (IOException e) {
      throw new AttemptException(Failure.error(field + " does not exist on this worker: " + path));
    }
  }

  /** The kernel limits the length of arguments and variables, and ends them at NUL. */
  private static String filled(Template template, Values values, String field, int[] bytes)
      throws AttemptException {
    String value = template.fill(values);
    int length = value.getBytes(UTF_8).length;
    bytes[0] += length;
    if (value.indexOf('\0') >= 0 || length > VALUE_BYTES_MAX || bytes[0] > VALUES_BYTES_MAX) {
      throw AttemptException.rejected(field + " must contain no NUL, at most " + VALUE_BYTES_MAX
          + " bytes in one value and " + VALUES_BYTES_MAX
          + " bytes in all values after placeholders are filled in, because the system starts no process with more."
          + " Read large values from the file in BELFRY_PAYLOAD_FILE.");
    }
    return value;
  }
}
