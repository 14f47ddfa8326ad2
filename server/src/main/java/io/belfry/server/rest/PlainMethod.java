package io.belfry.server.rest;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;

/**
 * A request whose method is the one in its first line, and no other: Javalin would go by a header, and what stands between a browser and
 * this server, and lets some methods through and some not, would be deceived.
 *
 * <p>Threading: immutable.
 */
final class PlainMethod extends Request.Wrapper {
  private static final String OVERRIDE = "X-HTTP-Method-Override";

  private final HttpFields headers;

  PlainMethod(Request request) {
    super(request);
    this.headers = request.getHeaders().contains(OVERRIDE)
        ? HttpFields.build(request.getHeaders()).remove(OVERRIDE).asImmutable()
        : request.getHeaders();
  }

  @Override
  public HttpFields getHeaders() {
    return headers;
  }
}
