package io.belfry.executors.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.template.Scope;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import java.io.IOException;
import java.time.Duration;

/**
 * Runs one script, from its start until all its processes have ended.
 *
 * <p>Threading: confined to the attempt's thread; two more threads read the output.
 */
final class ScriptRun {
  private static final int TAIL_CHARS = 4096;
  private static final int ERROR_CHARS = 1000;
  private static final int SIGNALS_FROM = 128;
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final AttemptContext attempt;
  private final Scope scope;
  private final ScriptPlan plan;
  private final Redaction redaction;
  private final Duration grace;
  private final OutputTail printed = new OutputTail(TAIL_CHARS);
  private final OutputTail complained = new OutputTail(ERROR_CHARS);

  ScriptRun(
      AttemptContext attempt, Scope scope, ScriptPlan plan, Redaction redaction, Duration grace) {
    this.attempt = attempt;
    this.scope = scope;
    this.plan = plan;
    this.redaction = redaction;
    this.grace = grace;
  }

  Result carryOut(
      ProcessBuilder builder, AttemptFolder place, OutputPipes pipes, SystemCommand tool)
      throws AttemptException, InterruptedException, IOException {
    String name = "belfry-script " + attempt.task();
    try (OutputReader out =
            OutputReader.start(name + " out", pipes.out(), redaction, scope.time(), line -> {
              printed.add(line);
              attempt.log(line);
            });
        OutputReader err =
            OutputReader.start(name + " err", pipes.err(), redaction, scope.time(), line -> {
              complained.add(line);
              attempt.log("stderr: " + line);
            })) {
      pipes.redirect(builder);
      var running = AttemptProcesses.beginning(AttemptProcesses.PROC, place, pipes::has);
      var session = new ScriptSession(running, tool, grace, scope.time());
      int code = 0;
      boolean stopped = false;
      try {
        Process process = start(session, builder);
        pipes.started();
        code = process.waitFor();
      } catch (InterruptedException e) {
        stopped = true; // thrown below, when all its processes have ended
      } finally {
        session.end();
        pipes.started();
      }
      stopped |= Thread.interrupted();
      lastWords(out, err);
      if (stopped) {
        throw new InterruptedException("the script and all its processes were stopped");
      }
      return judge(code, out);
    }
  }

  private static Process start(ScriptSession session, ProcessBuilder builder)
      throws AttemptException {
    try {
      return session.start(builder);
    } catch (IOException e) {
      throw new AttemptException(
          Failure.error("the script could not be started: " + e.getMessage()));
    }
  }

  /** Reads the rest of the output. A hidden process that still holds the output is not waited for. */
  private void lastWords(OutputReader out, OutputReader err) throws InterruptedException {
    if (!out.join(LAST_WORDS) || !err.join(LAST_WORDS)) {
      out.close();
      err.close();
      attempt.log("… (output abandoned: a process that Belfry cannot find still holds it open)");
    }
  }

  private Result judge(int code, OutputReader out) throws AttemptException {
    Result result = new Result(code, printed.text(), data(out));
    if (!plan.failOn().contains(code) && !plan.rejectOn().contains(code)) {
      return result;
    }
    FailureKind kind = plan.rejectOn().contains(code) ? FailureKind.REJECTED : FailureKind.ERROR;
    String said = complained.text().isEmpty() ? printed.text() : complained.text();
    String signal = code > SIGNALS_FROM ? " (killed by signal " + (code - SIGNALS_FROM) + ")" : "";
    String message =
        "the script ended with exit code " + code + signal + (said.isEmpty() ? "" : ": " + said);
    throw new AttemptException(new Failure(kind, new Result(code, message, result.data())));
  }

  private Payload data(OutputReader out) {
    String text = redaction.apply(new String(out.all(), UTF_8));
    byte[] bytes = text.strip().getBytes(UTF_8);
    return bytes.length <= Payload.DEFAULT_LIMIT && Json.parse(text).isPresent()
        ? Payload.of(Payload.JSON, bytes)
        : Payload.EMPTY;
  }
}
