package io.belfry.executors.http;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.egress.Target;
import io.belfry.executors.http.HeaderRules.Header;
import io.belfry.executors.template.Percent;
import io.belfry.executors.template.Scope;
import io.belfry.executors.template.Values;
import io.belfry.executors.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Creates the HTTP request of an attempt. Threading: immutable.
 *
 * @param callback the callback URL, if the attempt has one
 */
record RequestFactory(Scope scope, HttpPlan plan, Optional<String> callback) {

  CallRequest first(AttemptContext attempt, Values values) throws AttemptException {
    Target target = plan.base().at(HttpPlan.URL_FIELD, plan.url().fill(values));
    var headers = new ArrayList<>(plan.headers().fill(values));
    addOwn(headers, attempt);
    Optional<CallRequest.Body> body = Optional.empty();
    if (plan.body().isPresent()) {
      BodyRule rule = plan.body().get();
      body =
          Optional.of(new CallRequest.Body(rule.contentType(), rule.template().fill(values)));
    }
    boolean isBound = callback.isPresent() || plan.hasCredential();
    return new CallRequest(plan.method(), target, List.copyOf(headers), body, isBound);
  }

  private void addOwn(List<Header> headers, AttemptContext attempt) {
    addUnlessGiven(headers, "Idempotency-Key", ascii(attempt.idempotencyKey()));
    addUnlessGiven(headers, "traceparent", Trace.parent(scope.namespace(), attempt));
    addUnlessGiven(headers, "User-Agent", BuildInfo.USER_AGENT);
    headers.add(new Header("Belfry-Task", attempt.task().toString()));
    headers.add(new Header("Belfry-Attempt", String.valueOf(attempt.number())));
    headers.add(new Header("Belfry-Token", attempt.token().toString()));
    callback.ifPresent(url -> headers.add(new Header("Belfry-Callback", url)));
  }

  private static void addUnlessGiven(List<Header> headers, String name, String value) {
    if (headers.stream().noneMatch(header -> header.is(name))) {
      headers.add(new Header(name, value));
    }
  }

  /** The idempotency key as a header value: callers choose their keys freely, and a header allows only printable ASCII of limited length. */
  private static String ascii(String key) {
    return HeaderRules.isSendable(key) ? key : Percent.encode(key);
  }
}
