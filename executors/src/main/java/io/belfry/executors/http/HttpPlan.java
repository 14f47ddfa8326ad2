package io.belfry.executors.http;

import io.belfry.executors.egress.EgressRules;
import io.belfry.executors.egress.Target;
import io.belfry.executors.settings.Fields;
import io.belfry.executors.template.Template;
import io.belfry.executors.template.UrlTemplate;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parsed and validated HTTP settings of a job. Threading: immutable.
 *
 * @param base the origin of the call, which no placeholder can change
 */
record HttpPlan(
    String method,
    Target base,
    UrlTemplate url,
    HeaderRules headers,
    Optional<BodyRule> body,
    Optional<Duration> timeout,
    SuccessRule success,
    RetryRule retryOn,
    int redirects,
    Completion complete,
    ZoneId zone) {
  static final String URL_FIELD = "executor.url";

  private static final Set<String> KEYS = Set.of(
      "method",
      "url",
      "headers",
      "query",
      "body",
      "contentType",
      "timeout",
      "success",
      "retryOn",
      "redirects",
      "complete",
      "proxy",
      "zone");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final int REDIRECTS_MAX = 10;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(30);

  static HttpPlan of(ExecutorSpec spec) {
    Fields fields = Fields.of(spec, KEYS);
    Map<String, String> headers = new LinkedHashMap<>(fields.texts("headers"));
    Optional<BodyRule> body = BodyRule.of(fields, contentType(headers));
    if (body.isPresent()) {
      headers.keySet().removeIf(HttpPlan::isContentType);
    }
    UrlTemplate url = url(fields);
    var plan = new HttpPlan(
        method(fields, body),
        Target.parse(URL_FIELD, url.base()),
        url,
        HeaderRules.of(fields.at("headers"), headers),
        body,
        timeout(fields),
        SuccessRule.of(fields),
        fields
            .list("retryOn")
            .map(written -> RetryRule.of(fields.at("retryOn"), written))
            .orElse(RetryRule.USUAL),
        fields.whole("redirects", 0, REDIRECTS_MAX, 0, "each redirect is a call of its own"),
        fields.word("complete", Completion.class, Completion.RESPONSE),
        fields.zone("zone"));
    plan.check(fields);
    return plan;
  }

  private static Optional<String> contentType(Map<String, String> headers) {
    return headers.entrySet().stream()
        .filter(header -> isContentType(header.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean isContentType(String name) {
    return name.equalsIgnoreCase("Content-Type");
  }

  private static String method(Fields fields, Optional<BodyRule> body) {
    String method = fields
        .text("method")
        .map(text -> text.toUpperCase(Locale.ROOT))
        .orElse(body.isPresent() ? "POST" : "GET");
    Check.that(
        METHODS.contains(method),
        fields.at("method"),
        method,
        "must be one of " + String.join(", ", METHODS)
            + ", because other methods change the connection",
        "Choose one of them.");
    Check.that(
        body.isEmpty() || !(method.equals("GET") || method.equals("HEAD")),
        fields.at("body"),
        new Check.Plain("set"),
        "must not be used with GET or HEAD, because servers ignore the body or refuse the call",
        "Remove the body, or use POST.");
    return method;
  }

  private static UrlTemplate url(Fields fields) {
    String url = fields.needText(
        "url",
        "must be given, because it is the address of the call",
        "Write it like https://billing.local/run.");
    var parameters = new LinkedHashMap<String, Template>();
    fields
        .texts("query")
        .forEach((name, value) ->
            parameters.put(name, Template.parse(fields.at("query") + "." + name, value)));
    return UrlTemplate.parse(fields.at("url"), url, parameters);
  }

  private static Optional<Duration> timeout(Fields fields) {
    return fields
        .duration("timeout")
        .map(given ->
            Check.between(fields.at("timeout"), given, SHORTEST, LONGEST, "every call must end"));
  }

  private void check(Fields fields) {
    String proxy = fields.text("proxy").orElse("none");
    Check.that(
        proxy.equals("none"),
        fields.at("proxy"),
        proxy,
        "must be none, because a proxy would connect to addresses that were not checked",
        "Remove the setting.");
    Check.that(
        complete != Completion.RESPONSE || !usesCallback(),
        fields.at("complete"),
        "response",
        "must be callback or auto if ${callback.url} is used, because otherwise the attempt does not wait for the callback",
        "Set executor.complete to callback.");
    var unused = base.at(URL_FIELD, url.example());
    check(EgressRules.standard());
  }

  /** Refuses a host that these rules forbid by its name or address, before any lookup. */
  void check(EgressRules rules) {
    rules.refusal(base).ifPresent(why -> {
      throw Check.refusal(
          URL_FIELD,
          url.base(),
          "must be allowed by the egress rules (" + why + ")",
          "Correct the URL, or ask an administrator to change the egress rules.");
    });
  }

  /** Whether a call carries credentials, which are bound to the origin that the job names. */
  boolean hasCredential() {
    return url.hasCredential()
        || headers.hasCredential()
        || body.map(its -> its.template().hasCredential()).orElse(false);
  }

  private boolean usesCallback() {
    return url.usesCallback()
        || headers.usesCallback()
        || body.map(its -> its.template().usesCallback()).orElse(false);
  }
}
