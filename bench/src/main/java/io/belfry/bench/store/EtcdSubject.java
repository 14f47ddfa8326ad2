package io.belfry.bench.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.etcd.EtcdSettings;
import io.belfry.store.etcd.EtcdStore;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.PutRequest;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A single etcd: through the store, and with plain transactions of up to 100 puts, as many in flight as the store has. */
record EtcdSubject(EtcdServer server, Store store) implements Subject {
  private static final int BATCHES_AWAY = 4;

  static EtcdSubject open() {
    EtcdServer server = EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(8L << 30));
    return new EtcdSubject(server, connect(server));
  }

  private static Store connect(EtcdServer server) {
    return EtcdStore.connect(EtcdSettings.of("etcd://127.0.0.1:" + server.port(), "bench"));
  }

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public OptionalLong engine() {
    return OptionalLong.of(server.process().pid());
  }

  @Override
  public Store another() {
    return connect(server);
  }

  @Override
  public List<Space> spaces() {
    return List.of(ORDERED_AND_WATCHED);
  }

  @Override
  public int goal(Space space) {
    return 25_000;
  }

  @Override
  public RawEngine raw(Space space) {
    return new RawEtcd(server.port());
  }

  @Override
  public void close() {
    store.close();
    server.close();
  }

  private static final class RawEtcd implements RawEngine {
    private static final int PUTS_MAX = 100;
    private final ManagedChannel channel;
    private final AtomicLong number = new AtomicLong();

    RawEtcd(int port) {
      channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    @Override
    public double perSecond(int outstanding, Duration length)
        throws InterruptedException, ExecutionException {
      int puts = Math.clamp(outstanding / BATCHES_AWAY, 1, PUTS_MAX);
      var stretch = new MeasuredInterval(length);
      long records = 0;
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Long>> streams = IntStream.range(0, BATCHES_AWAY)
            .mapToObj(i -> threads.submit(() -> send(puts, stretch)))
            .toList();
        for (Future<Long> each : streams) {
          records += each.get();
        }
      }
      return records / stretch.seconds();
    }

    private long send(int puts, MeasuredInterval stretch) {
      var kv = KVGrpc.newBlockingStub(channel);
      ByteString value = UnsafeByteOperations.unsafeWrap(new byte[Callers.RECORD_BYTES]);
      long records = 0;
      while (stretch.lasts()) {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (int i = 0; i < puts; i++) {
          ByteString key = ByteString.copyFromUtf8("/raw/" + number.incrementAndGet());
          txn.addSuccess(RequestOp.newBuilder()
              .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value)));
        }
        if (kv.txn(txn.build()).getSucceeded()) {
          records += puts;
        }
      }
      return records;
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }
}
