package io.belfry.executors.http;

import io.belfry.executors.egress.Target;
import io.belfry.executors.http.HeaderRules.Header;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Request;

/**
 * A request that is ready to be sent.
 *
 * @param isBound whether a secret, the callback's address or other credentials were filled in for the attempt. It stays so for all hops
 *     that follow: the origin that the job names knows the secret from then on, and must not send it elsewhere by a redirect
 */
record CallRequest(
    String method,
    Target target,
    List<Header> headers,
    Optional<CallRequest.Body> body,
    boolean isBound) {

  /** What is sent beside the headers. */
  record Body(String contentType, byte[] bytes) {}

  void putInto(Request request) {
    request.method(method);
    request.headers(fields -> headers.forEach(header -> fields.put(header.name(), header.value())));
    body.ifPresent(its -> request.body(new BytesRequestContent(its.contentType(), its.bytes())));
  }

  /** Without its body, and what is said about it. */
  CallRequest asGet() {
    List<Header> kept = headers.stream()
        .filter(header -> !header.is("Content-Type")
            && !header.is("Content-Encoding")
            && !header.is("Content-Language"))
        .toList();
    return new CallRequest(
        method.equals("HEAD") ? method : "GET", target, kept, Optional.empty(), isBound);
  }

  CallRequest to(Target other) {
    return new CallRequest(method, other, headers, body, isBound);
  }

  /** As it is shown in logs and errors, before secrets are taken out. */
  @Override
  public String toString() {
    return method + " " + target;
  }
}
