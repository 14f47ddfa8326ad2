package io.belfry.store.etcd;

import io.belfry.store.etcd.proto.WatchCancelRequest;
import io.belfry.store.etcd.proto.WatchCreateRequest;
import io.belfry.store.etcd.proto.WatchGrpc;
import io.belfry.store.etcd.proto.WatchRequest;
import io.belfry.store.etcd.proto.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.BiConsumer;

/**
 * One stream of watches to one member. The next answer is asked for when the last one has been dealt with, so that a slow
 * watcher fills etcd's buffers and not ours.
 *
 * <p>Threading: confined to the hub's thread, on which its channel also calls back.
 */
final class WatchStream {
  /** etcd ends the stream when its member has lost the leader, and so would stay silent. */
  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

  private final Link.Line line;
  private final String token;
  private final BiConsumer<WatchStream, WatchResponse> heard;
  private final BiConsumer<WatchStream, Status> broke;
  private final ClientCall<WatchRequest, WatchResponse> call;

  WatchStream(
      Link.Line line,
      String token,
      BiConsumer<WatchStream, WatchResponse> heard,
      BiConsumer<WatchStream, Status> broke) {
    this.line = line;
    this.token = token;
    this.heard = heard;
    this.broke = broke;
    this.call = line.channel().newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
  }

  Link.Line line() {
    return line;
  }

  String token() {
    return token;
  }

  void start() {
    var headers = new Metadata();
    headers.put(HAS_LEADER, "true");
    if (!token.isEmpty()) {
      headers.put(EtcdCall.TOKEN, token);
    }
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(WatchResponse answer) {
            heard.accept(WatchStream.this, answer);
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            broke.accept(WatchStream.this, status);
          }
        },
        headers);
    call.request(1);
  }

  void create(Subscription subscription, Names.Stretch stretch) {
    call.sendMessage(WatchRequest.newBuilder()
        .setCreateRequest(WatchCreateRequest.newBuilder()
            .setKey(stretch.key())
            .setRangeEnd(stretch.end())
            .setStartRevision(subscription.resumeAt())
            .setWatchId(subscription.id())
            .setProgressNotify(true)
            .setFragment(true))
        .build());
  }

  void cancel(long id) {
    call.sendMessage(WatchRequest.newBuilder()
        .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
        .build());
  }

  /** Breaks the stream; the hub hears of it as of any other break. */
  void cut(Link link) {
    link.cut(line);
  }

  void end() {
    call.cancel("closed", null);
  }
}
