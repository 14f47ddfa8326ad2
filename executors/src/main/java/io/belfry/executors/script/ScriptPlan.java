package io.belfry.executors.script;

import io.belfry.executors.settings.Fields;
import io.belfry.executors.template.Template;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A script as a job describes it, read and checked. Values are filled into arguments and environment only. Threading: immutable.
 *
 * @param script its text; else it is in the file
 */
record ScriptPlan(
    Path interpreter,
    Optional<String> script,
    Optional<Path> file,
    List<Template> args,
    Map<String, Template> env,
    Optional<Path> workingDirectory,
    ExitCodes failOn,
    ExitCodes rejectOn,
    ZoneId zone) {
  private static final Set<String> KEYS = Set.of(
      "interpreter",
      "script",
      "file",
      "args",
      "env",
      "workingDirectory",
      "failOn",
      "rejectOn",
      "zone");

  static ScriptPlan of(ExecutorSpec spec, ScriptRules rules) {
    Fields fields = Fields.of(spec, KEYS);
    Optional<String> script = fields.text("script");
    Optional<Path> file = fields.text("file").map(text -> inFolder(fields.at("file"), text, rules));
    Check.that(
        script.isPresent() != file.isPresent(),
        fields.at("script"),
        new Check.Plain(script.isPresent() ? "there beside executor.file" : "missing"),
        "must be given, or executor.file instead, because one of them is what is run",
        "Write the script, or name the file that holds it.");
    script.ifPresent(text -> Check.that(
        text.indexOf('\0') < 0,
        fields.at("script"),
        "a text with NUL",
        "must be text",
        "Remove the NUL."));
    return new ScriptPlan(
        interpreter(fields, rules),
        script,
        file,
        args(fields),
        env(fields),
        fields
            .text("workingDirectory")
            .map(text -> inFolder(fields.at("workingDirectory"), text, rules)),
        fields
            .list("failOn")
            .map(codes -> ExitCodes.of(fields.at("failOn"), codes))
            .orElse(ExitCodes.usual()),
        ExitCodes.of(fields.at("rejectOn"), fields.list("rejectOn").orElse(List.of())),
        fields.zone("zone"));
  }

  private static Path interpreter(Fields fields, ScriptRules rules) {
    String names = String.join(", ", new TreeSet<>(rules.interpreters().keySet()));
    String name = fields.needText(
        "interpreter",
        "must be given, because it says what runs the script",
        "Choose one of " + names + ".");
    Path path = rules.interpreters().get(name);
    if (path == null) {
      throw Check.refusal(
          fields.at("interpreter"),
          name,
          "must be one of " + names + ", because only those are allowed on this worker",
          "Choose one of them, or ask whoever keeps the worker's settings.");
    }
    return path;
  }

  /** Judged by how it is written; what it really leads to is judged when it is used. */
  private static Path inFolder(String field, String text, ScriptRules rules) {
    try {
      Path path = Path.of(text).normalize();
      if (path.isAbsolute() && rules.folders().stream().anyMatch(path::startsWith)) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw outside(field, text, rules);
    }
    throw outside(field, text, rules);
  }

  static InvalidException outside(String field, String text, ScriptRules rules) {
    return Check.refusal(
        field,
        text,
        "must be an absolute path inside of an allowed folder " + rules.folders()
            + ", because nothing else may be run or changed",
        "Move it there, or ask whoever keeps the worker's settings.");
  }

  private static List<Template> args(Fields fields) {
    var args = new ArrayList<Template>();
    List<Object> written = fields.list("args").orElse(List.of());
    for (int i = 0; i < written.size(); i++) {
      String at = fields.at("args") + "[" + i + "]";
      args.add(noCallback(at, Template.parse(at, Fields.plain(at, written.get(i)))));
    }
    return List.copyOf(args);
  }

  private static Map<String, Template> env(Fields fields) {
    var env = new LinkedHashMap<String, Template>();
    fields.texts("env").forEach((name, value) -> {
      String at = fields.at("env") + "." + name;
      Check.that(
          ScriptRules.ENVIRONMENT_NAME.matcher(name).matches()
              && !name.startsWith("BELFRY_")
              && !name.equals("TRACEPARENT"),
          at,
          name,
          "must be a name of letters, digits and '_' that Belfry does not set itself, because scripts rely on those",
          "Use another name.");
      env.put(name, noCallback(at, Template.parse(at, value)));
    });
    return env;
  }

  private static Template noCallback(String field, Template template) {
    Check.that(
        !template.usesCallback(),
        field,
        "${callback.url}",
        "must not use the address for callbacks, because a script tells its end by ending",
        "Remove the placeholder.");
    return template;
  }
}
