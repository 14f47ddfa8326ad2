package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.SettingsCache;
import io.belfry.executors.secret.Redacted;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.settings.Plans;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries out attempts by running a script: {@code {type: script, interpreter: bash, script: "echo hello"}}.
 *
 * <p>Threading: safe.
 */
public final class ScriptExecutor implements Executor, SettingsCache {
  public static final String TYPE = "script";

  private static final int VALUE_BYTES_MAX = 100 * 1024;
  private static final int VALUES_BYTES_MAX = 512 * 1024;

  private final ScriptRules rules;
  private final Scope scope;
  private final Path setsid;
  private final Plans<ScriptPlan> plans;

  /**
   * For one namespace.
   *
   * @throws io.belfry.model.InvalidException if this machine cannot end a script together with its children
   */
  public ScriptExecutor(ScriptRules rules, Scope scope) {
    this.rules = rules;
    this.scope = scope;
    this.setsid = rules.tool("setsid");
    var unused = rules.tool("sh");
    Check.that(
        Files.isReadable(Running.PROC.resolve("self/stat")),
        "script",
        "a machine without /proc",
        "must run on Linux with /proc, because a script's processes are found there",
        "Leave scripts off on this worker.");
    this.plans = new Plans<>(spec -> ScriptPlan.of(spec, rules));
  }

  /**
   * Refuses settings that cannot work whatever the payload.
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

  @Override
  public long cacheBytes() {
    return plans.bytes();
  }

  @Override
  public Result execute(AttemptContext attempt) throws AttemptException, InterruptedException {
    var redaction = new Redaction();
    return Redacted.of(redaction, () -> carryOut(attempt, plans.of(attempt.executor()), redaction));
  }

  private Result carryOut(AttemptContext attempt, ScriptPlan plan, Redaction redaction)
      throws AttemptException, InterruptedException {
    try (Workplace place = Workplace.in(rules.temp())) {
      ProcessBuilder builder = builder(attempt, plan, place, redaction);
      return new ScriptRun(attempt, scope, plan, redaction).carryOut(builder, place, rules);
    } catch (IOException e) {
      throw new AttemptException(Failure.error("the script's folder could not be made: " + e));
    }
  }

  private ProcessBuilder builder(
      AttemptContext attempt, ScriptPlan plan, Workplace place, Redaction redaction)
      throws AttemptException, IOException {
    var values = new Values(attempt, scope, plan.zone(), Optional.empty(), redaction);
    var bytes = new int[1];
    var command = new ArrayList<>(List.of(setsid.toString(), plan.interpreter().toString()));
    command.add(code(plan, place).toString());
    for (Template arg : plan.args()) {
      command.add(filled(arg, values, "executor.args", bytes));
    }
    var builder = new ProcessBuilder(command);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Path folder = plan.workingDirectory().isPresent()
        ? real("executor.workingDirectory", plan.workingDirectory().get())
        : place.folder();
    builder.directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    for (var entry : plan.env().entrySet()) {
      environment.put(entry.getKey(), filled(entry.getValue(), values, "executor.env", bytes));
    }
    Path payload = place.write(payloadName(attempt), attempt.payload().bytes());
    Environment.of(attempt, scope, place, payload, rules).forEach(environment::putIfAbsent);
    return builder;
  }

  private static String payloadName(AttemptContext attempt) {
    return attempt.payload().contentType().startsWith(Payload.JSON) ? "payload.json" : "payload";
  }

  private Path code(ScriptPlan plan, Workplace place) throws AttemptException, IOException {
    return plan.script().isPresent()
        ? place.write("script", plan.script().get().getBytes(UTF_8))
        : real("executor.file", plan.file().orElseThrow());
  }

  /** Where the path leads when all links are followed; that must be an allowed folder as well. */
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
      throw new AttemptException(Failure.error(field + " cannot be found on this worker: " + path));
    }
  }

  /** The kernel takes no longer ones, and ends a text at NUL. */
  private static String filled(Template template, Values values, String field, int[] bytes)
      throws AttemptException {
    String value = template.fill(values);
    int length = value.getBytes(UTF_8).length;
    bytes[0] += length;
    if (value.indexOf('\0') >= 0 || length > VALUE_BYTES_MAX || bytes[0] > VALUES_BYTES_MAX) {
      throw AttemptException.rejected(field + " must hold no NUL, at most " + VALUE_BYTES_MAX
          + " bytes in one value and " + VALUES_BYTES_MAX
          + " in all when it is filled in, because the system starts no process with more."
          + " Let the script read the file named by BELFRY_PAYLOAD_FILE.");
    }
    return value;
  }
}
