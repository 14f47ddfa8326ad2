package io.belfry.server.connection;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body must arrive in time. Jetty's own minimum data rate has no effect in version 12.
 *
 * <p>Threading: that of the request: one reader at a time; {@link RequestBody} is safe.
 */
final class MeteredRequest extends Request.Wrapper {
  private final Connections connections;
  private final Client client;
  private final RequestBody body;

  MeteredRequest(Request request, Connections connections, Client client, RequestBody body) {
    super(request);
    this.connections = connections;
    this.client = client;
    this.body = body;
  }

  @Override
  public Content.@Nullable Chunk read() {
    var failure = body.failure();
    if (failure.isPresent()) {
      return Content.Chunk.from(new SlowBodyException(failure.get()), true);
    }
    Content.@Nullable Chunk chunk = super.read();
    if (chunk != null) {
      body.count(chunk.remaining());
    }
    return chunk;
  }

  @Override
  public void demand(Runnable resume) {
    connections.waits(client, body, resume);
    super.demand(Invocable.from(
        Invocable.getInvocationType(resume), () -> connections.arrived(client, body)));
  }
}
