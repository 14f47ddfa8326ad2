package io.belfry.executors.http;

import io.belfry.executors.egress.Target;
import io.belfry.executors.http.HeaderRules.Header;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Request;

/** A request that is ready to be sent. */
record Message(String method, Target target, List<Header> headers, Optional<Message.Body> body) {

  /**
   * What is sent beside the headers.
   *
   * @param isCredential whether it must not go to another origin
   */
  record Body(String contentType, byte[] bytes, boolean isCredential) {}

  void putInto(Request request) {
    request.method(method);
    request.headers(fields -> headers.forEach(header -> fields.put(header.name(), header.value())));
    body.ifPresent(its -> request.body(new BytesRequestContent(its.contentType(), its.bytes())));
  }

  boolean hasCredential() {
    return headers.stream().anyMatch(Header::isCredential)
        || body.map(Body::isCredential).orElse(false);
  }

  /** Without its body, and what is said about it. */
  Message asGet() {
    List<Header> kept = headers.stream()
        .filter(header -> !header.is("Content-Type")
            && !header.is("Content-Encoding")
            && !header.is("Content-Language"))
        .toList();
    return new Message(method.equals("HEAD") ? method : "GET", target, kept, Optional.empty());
  }

  Message to(Target other) {
    return new Message(method, other, headers, body);
  }

  /** As it is shown in logs and errors, before secrets are taken out. */
  @Override
  public String toString() {
    return method + " " + target;
  }
}
