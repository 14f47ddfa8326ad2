package io.belfry.library;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.core.commit.CommitChain;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.etcd.EtcdSettings;
import io.belfry.store.etcd.EtcdStore;
import io.belfry.testkit.engine.EtcdServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backup is restored during chained commits: no commit that the backup lacks is acknowledged. */
@Timeout(120)
class RestoredEtcdTest {
  private static final Key CHAIN = Keys.news("n~1", 0);
  private static final Key TASK = Key.of(Keys.BURIED, "what a link writes");

  /** Can hold back the next commit. */
  private static final class Gate extends DelegatingStore {
    private volatile boolean shut;
    private final CompletableFuture<Outcome> kept = new CompletableFuture<>();
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();

    Gate(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      if (!shut) {
        return super.commit(commit);
      }
      shut = false;
      reached.complete(true);
      return kept;
    }
  }

  @TempDir
  private Path backups;

  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
  private EtcdServer etcd;
  private Gate store;
  private ThreadLoop loop;
  private CommitChain chain;

  @BeforeEach
  void open() {
    etcd = EtcdServer.start();
    store = new Gate(EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns")));
    loop = new ThreadLoop("chain", Time.system(), new SplittableRandom(1), broken::complete);
    chain = new CommitChain(
        new RetryingCommitter(loop, store, () -> true, broken::complete),
        CHAIN,
        "nothing".getBytes(UTF_8));
  }

  @AfterEach
  void close() {
    loop.close();
    store.close();
    etcd.close();
  }

  private CompletableFuture<CommitChain.Link> commit(String word) {
    var heard = new CompletableFuture<CommitChain.Link>();
    byte[] bytes = word.getBytes(UTF_8);
    loop.post(() -> chain.commit(Commit.when().put(TASK, bytes).build(), bytes, heard::complete));
    return heard;
  }

  private Object outcome(CompletableFuture<CommitChain.Link> link) throws Exception {
    return CompletableFuture.anyOf(link, broken).get(60, TimeUnit.SECONDS);
  }

  private Entry chainKey() throws Exception {
    return store
        .get(List.of(CHAIN))
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS)
        .getFirst();
  }

  private String task() throws Exception {
    List<Entry> found = store.get(List.of(TASK)).toCompletableFuture().get(60, TimeUnit.SECONDS);
    return new String(found.getFirst().value(), UTF_8);
  }

  /** The store detects the restore by the data that the backup lacks. */
  private void acknowledgeSomethingElse() {
    Commit other =
        Commit.when().put(Key.of(Keys.BURIED, "another"), "1".getBytes(UTF_8)).build();
    await("acknowledged by the etcd that was just started again")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> store.commit(other).toCompletableFuture().get(10, TimeUnit.SECONDS)
            instanceof Outcome.Done);
  }

  @Test
  void a_link_whose_answer_is_missing_is_not_called_applied() throws Exception {
    assertThat(outcome(commit("one"))).isInstanceOf(CommitChain.Link.Applied.class);
    long before = chainKey().revision();
    etcd.backup(backups.resolve("data"));
    acknowledgeSomethingElse();
    store.shut = true;
    CompletableFuture<CommitChain.Link> two = commit("two");
    assertThat(store.reached.get(60, TimeUnit.SECONDS)).isTrue();
    etcd.restore(backups.resolve("data"));
    assertThat(Revision.counter(chainKey().revision())).isEqualTo(Revision.counter(before));
    assertThat(chainKey().revision()).as("it is shown under the new epoch").isNotEqualTo(before);

    store.kept.completeExceptionally(new StoreException.Unknown("etcd was killed", null));
    assertThat(outcome(two)).isInstanceOf(CommitChain.Link.Forgotten.class);
    assertThat(task()).isEqualTo("one");
    assertThat(outcome(commit("three"))).isInstanceOf(CommitChain.Link.Applied.class);
    assertThat(task()).isEqualTo("three");
  }

  @Test
  void a_chain_at_rest_goes_on_where_the_backup_ends() throws Exception {
    assertThat(outcome(commit("one"))).isInstanceOf(CommitChain.Link.Applied.class);
    etcd.backup(backups.resolve("data"));
    assertThat(outcome(commit("two"))).isInstanceOf(CommitChain.Link.Applied.class);
    etcd.restore(backups.resolve("data"));
    assertThat(Revision.epoch(chainKey().revision())).isEqualTo(2);
    assertThat(outcome(commit("three"))).isInstanceOf(CommitChain.Link.Applied.class);
    assertThat(task()).isEqualTo("three");
  }
}
