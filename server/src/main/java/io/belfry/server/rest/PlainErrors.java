package io.belfry.server.rest;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the web server refuses before any route sees it, in the one form of all refusals. Threading: stateless. */
final class PlainErrors extends ErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PlainErrors.class);

  private final SafeHeaders headers;

  PlainErrors(SafeHeaders headers) {
    this.headers = headers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = Math.max(400, response.getStatus());
    LOG.debug(
        "The web server refused a request with {}: {}",
        status,
        request.getAttribute(ERROR_MESSAGE));
    String code = switch (status) {
      case 404 -> "notFound";
      case 405 -> "notAllowed";
      case 413 -> "tooLarge";
      case 431 -> "tooLarge";
      case 503 -> "unavailable";
      case 505 -> "invalid";
      default -> status < 500 ? "invalid" : "broken";
    };
    String message = switch (status) {
      case 431 -> "The headers of a request must have at most 16 KiB. Send less.";
      case 404 -> "There is nothing at this address. See /openapi.json.";
      default -> "The request was refused by the web server (" + status + "). Check its form.";
    };
    byte[] body = JsonNodeFactory.instance
        .objectNode()
        .put("code", code)
        .put("message", message)
        .toString()
        .getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json; charset=utf-8");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    // After what it could not read, the web server closes the connection; clients must not use it
    // again.
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    headers.addTo(response.getHeaders());
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
