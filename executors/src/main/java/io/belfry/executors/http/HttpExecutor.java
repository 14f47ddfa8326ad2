package io.belfry.executors.http;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.SettingsCache;
import io.belfry.executors.egress.Egress;
import io.belfry.executors.egress.EgressRules;
import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.RedactedOutcome;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.settings.PlanCache;
import io.belfry.executors.template.Scope;
import io.belfry.executors.template.Values;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.task.Result;
import java.util.Optional;

/**
 * Executes attempts by an HTTP call: {@code {type: http, method: POST, url: https://billing.local/run, body: {day:
 * "${scheduled.date}"}}}.
 *
 * <p>Threading: safe.
 */
public final class HttpExecutor implements Executor, SettingsCache {
  public static final String TYPE = "http";

  private final Outbound outbound;
  private final Scope scope;
  private final Egress egress;
  private final Callbacks callbacks;
  private final PlanCache<HttpPlan> plans = new PlanCache<>(HttpPlan::of);

  /**
   * For one namespace.
   *
   * @param outbound shared by all namespaces of the process, and closed by its creator
   */
  public HttpExecutor(Outbound outbound, Scope scope, Egress egress, Callbacks callbacks) {
    this.outbound = outbound;
    this.scope = scope;
    this.egress = egress;
    this.callbacks = callbacks;
  }

  /**
   * Refuses settings that cannot work with any payload.
   *
   * @throws io.belfry.model.InvalidException with the path of the setting
   */
  public static void check(ExecutorSpec spec) {
    var unused = HttpPlan.of(spec);
  }

  /**
   * Also refuses a host that the egress rules of the namespace forbid by name. Its addresses are checked when it is called.
   *
   * @throws io.belfry.model.InvalidException with the path of the setting
   */
  public static void check(ExecutorSpec spec, EgressRules rules) {
    HttpPlan.of(spec).check(rules);
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
  public int connections() {
    return outbound.connections();
  }

  @Override
  public Result execute(AttemptContext attempt) throws AttemptException, InterruptedException {
    var redaction = new Redaction();
    return RedactedOutcome.of(
        redaction, () -> carryOut(attempt, plans.of(attempt.executor()), redaction));
  }

  private Result carryOut(AttemptContext attempt, HttpPlan plan, Redaction redaction)
      throws AttemptException, InterruptedException {
    if (plan.complete() == Completion.RESPONSE) {
      RequestFactory requests = new RequestFactory(scope, plan, Optional.empty());
      return call(attempt, plan, requests, redaction);
    }
    try (Callbacks.Callback callback = open(attempt)) {
      RequestFactory requests =
          new RequestFactory(scope, plan, Optional.of(callback.url().toString()));
      Result answered = call(attempt, plan, requests, redaction);
      if (plan.complete() == Completion.AUTO && answered.code() != 202) {
        return answered;
      }
      attempt.log("… waiting for the callback");
      return callback.await();
    }
  }

  private Callbacks.Callback open(AttemptContext attempt) throws AttemptException {
    return callbacks
        .open(attempt)
        .orElseThrow(() -> AttemptException.rejected(
            "executor.complete must be response on this worker, because the worker has no callback address. Configure one,"
                + " or let the target respond when its work is done."));
  }

  private Result call(
      AttemptContext attempt, HttpPlan plan, RequestFactory requests, Redaction redaction)
      throws AttemptException, InterruptedException {
    var to = new Destination.Server(plan.base());
    var values = new Values(attempt, scope, plan.zone(), requests.callback(), to, redaction);
    CallRequest message = requests.first(attempt, values);
    var verdict = new ResponseMapper(plan, scope.time(), redaction);
    try {
      var call = new Call(outbound, egress, scope.time(), attempt, plan, redaction);
      return verdict.of(message, call.answer(message));
    } catch (CallException failed) {
      throw verdict.of(message, failed);
    } catch (Redirects.RefusedException refused) {
      throw verdict.of(message, refused);
    }
  }
}
