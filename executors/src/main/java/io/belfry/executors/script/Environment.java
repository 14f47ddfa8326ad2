package io.belfry.executors.script;

import io.belfry.core.execute.AttemptContext;
import io.belfry.executors.template.Scope;
import io.belfry.executors.trace.Trace;
import io.belfry.model.job.JobId;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The environment variables of a script. It gets no others. Threading: stateless. */
final class Environment {
  /** Marks the processes of an attempt. */
  static final String MARK = "BELFRY_MARK";

  private static final String USUAL_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private Environment() {}

  static Map<String, String> of(
      AttemptContext attempt, Scope scope, AttemptFolder place, Path payload, ScriptRules rules) {
    var all = new LinkedHashMap<String, String>();
    Map<String, String> worker = System.getenv();
    rules.pass().forEach(name -> {
      String value = worker.get(name);
      if (value != null) {
        all.put(name, value);
      }
    });
    all.put("PATH", worker.getOrDefault("PATH", USUAL_PATH));
    all.put("LANG", "C.UTF-8");
    all.put("HOME", place.folder().toString());
    all.put("TMPDIR", place.folder().toString());
    all.put("BELFRY_TASK", attempt.task().toString());
    all.put("BELFRY_ATTEMPT", String.valueOf(attempt.number()));
    all.put("BELFRY_TOKEN", attempt.token().toString());
    all.put("BELFRY_IDEMPOTENCY_KEY", attempt.idempotencyKey());
    all.put("BELFRY_SCHEDULED", attempt.scheduled().toString());
    all.put("BELFRY_NAMESPACE", scope.namespace());
    all.put("BELFRY_JOB", attempt.job().map(JobId::value).orElse(""));
    all.put("BELFRY_PAYLOAD_FILE", payload.toString());
    all.put("TRACEPARENT", Trace.parent(scope.namespace(), attempt));
    all.put(MARK, place.mark());
    return all;
  }

  /** The variables as shell code, which also removes the variables that the shell sets by itself. */
  static String asShell(Map<String, String> variables) {
    var text = new StringBuilder("unset PWD OLDPWD SHLVL\n");
    variables.forEach((name, value) -> text.append("export ")
        .append(name)
        .append("='")
        .append(value.replace("'", "'\\''"))
        .append("'\n"));
    return text.toString();
  }
}
