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
 * The parsed and validated script settings of a job. Only arguments and environment contain placeholders. Threading: immutable.
 *
 * @param script its text; empty if it is in a file
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
        new Check.Plain(script.isPresent() ? "set together with executor.file" : "missing"),
        "must be given, or executor.file instead, because exactly one of them is run",
        "Set either executor.script or executor.file.");
    script.ifPresent(text -> Check.that(
        text.indexOf('\0') < 0,
        fields.at("script"),
        new Check.Plain("a text with a NUL character"),
        "must contain no NUL character, because a script is a text file",
        "Remove it."));
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
        "interpreter", "must be given, because it runs the script", "Choose one of " + names + ".");
    Path path = rules.interpreters().get(name);
    if (path == null) {
      throw Check.refusal(
          fields.at("interpreter"),
          name,
          "must be one of " + names + ", because this worker allows no others",
          "Choose one of them, or ask an administrator to allow it.");
    }
    return path;
  }

  /** Checks the path as written. The path with resolved links is checked when it is used. */
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
        "must be an absolute path inside an allowed folder " + rules.folders()
            + ", because scripts may use no other folders",
        "Move it there, or ask an administrator to allow its folder.");
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
          "must be a name of letters, digits and '_' that Belfry does not set itself, because scripts rely on those variables",
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
        "must not use ${callback.url}, because a script reports its result by exiting",
        "Remove the placeholder.");
    return template;
  }
}
