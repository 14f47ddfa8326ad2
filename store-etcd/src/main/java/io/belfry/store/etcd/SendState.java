package io.belfry.store.etcd;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/**
 * Knows whether a call was handed to a connection. Until then it certainly has not reached etcd; from then on nobody but
 * etcd can say.
 *
 * <p>Threading: safe; set by gRPC's threads.
 */
final class SendState extends ClientStreamTracer.Factory {
  private volatile boolean sent;

  boolean isSent() {
    return sent;
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void streamCreated(Attributes transport, Metadata headers) {
        sent = true;
      }
    };
  }
}
