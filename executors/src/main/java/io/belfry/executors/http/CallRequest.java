package io.belfry.executors.http;

import io.belfry.executors.egress.Target;
import io.belfry.executors.http.HeaderRules.Header;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Request;

/**
 * An HTTP request with all values filled in.
 *
 * @param isBound whether the call carries a secret, the callback URL or other credentials. It stays set for all redirects: the
 *     first target knows the secret, and must not be able to send it elsewhere by a redirect
 */
record CallRequest(
    String method,
    Target target,
    List<Header> headers,
    Optional<CallRequest.Body> body,
    boolean isBound) {

  /** The request body. */
  record Body(String contentType, byte[] bytes) {}

  void putInto(Request request) {
    request.method(method);
    request.headers(fields -> headers.forEach(header -> fields.put(header.name(), header.value())));
    body.ifPresent(its -> request.body(new BytesRequestContent(its.contentType(), its.bytes())));
  }

  /** The redirected request as GET (or HEAD), without body and without content headers. */
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

  /** Method and URL for logs and errors. Not redacted. */
  @Override
  public String toString() {
    return method + " " + target;
  }
}
