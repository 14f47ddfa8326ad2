package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.ORDERED;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Redis at maxmemory: nothing new is taken, and what makes room, or keeps somebody alive who does, always is. */
class RedisFullTest {
  private final RedisServer server = RedisServer.start();
  private final RedisStore store = RedisStore.connect(RedisSettings.at(server.uri()));

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private void fill() {
    for (int i = 0; i < 300; i++) {
      done(store, Commit.when().put(key(ORDERED, "k" + i), new byte[16 << 10]));
    }
    long used = Long.parseLong(server.info("memory", "used_memory"));
    // Less than there is: Redis is full until 2 MiB were freed.
    server.ask("CONFIG", "SET", "maxmemory", "" + (used - (2 << 20)));
    assertThatThrownBy(() -> put(store, key(ORDERED, "new"), "x"))
        .isInstanceOf(StoreException.Full.class)
        .hasMessageContaining("maxmemory");
  }

  /** What many callers submit must not keep the leader from making room, although both travel together. */
  @Test
  void deletes_pass_also_among_puts_and_make_room() {
    fill();
    var deletes = new ArrayList<CompletionStage<Outcome>>();
    var puts = new ArrayList<CompletionStage<Outcome>>();
    for (int i = 0; i < 40; i++) {
      puts.add(store.commit(Commit.when().put(key(WATCHED, "p" + i), bytes("x")).build()));
      deletes.add(store.commit(Commit.when().delete(key(ORDERED, "k" + i)).build()));
    }
    deletes.forEach(each -> assertThat(answer(each)).isInstanceOf(Outcome.Done.class));
    puts.forEach(each -> assertThatThrownBy(() -> answer(each))
        .isInstanceOf(StoreException.Full.class)
        .hasMessageContaining("maxmemory"));
    for (int i = 0; i < 40; i++) {
      assertThat(read(store, key(WATCHED, "p" + i))).isEmpty();
      assertThat(read(store, key(ORDERED, "k" + i))).isEmpty();
    }
    for (int i = 40; i < 300; i++) {
      done(store, Commit.when().delete(key(ORDERED, "k" + i)));
    }
    put(store, key(ORDERED, "new"), "there is room again");
  }

  @Test
  void leases_are_renewed_granted_and_revoked() {
    Lease before = answer(store.grant(Duration.ofSeconds(60)));
    fill();
    assertThat(answer(store.renew(before.id()))).isTrue();
    Lease during = answer(store.grant(Duration.ofSeconds(60)));
    assertThat(answer(store.renew(during.id()))).isTrue();
    answer(store.revoke(before.id()));
    assertThat(answer(store.renew(before.id()))).isFalse();
  }

  /** What an election writes. A guard that does not hold refuses it all the same. */
  @Test
  void a_commit_that_must_pass_does() {
    Key leader = key(WATCHED, "leader");
    fill();
    Lease lease = answer(store.grant(Duration.ofSeconds(60)));
    Commit take = Commit.when()
        .absent(leader)
        .put(leader, bytes("me"), lease.id())
        .evenIfFull()
        .build();
    assertThat(answer(store.commit(take))).isInstanceOf(Outcome.Done.class);
    assertThat(answer(store.commit(take))).isInstanceOf(Outcome.Refused.class);
    assertThat(read(store, leader)).contains("me");
    List<CompletionStage<Outcome>> together = List.of(
        store.commit(Commit.when().put(key(WATCHED, "task"), bytes("x")).build()),
        store.commit(
            Commit.when().put(leader, bytes("again"), lease.id()).evenIfFull().build()));
    assertThatThrownBy(() -> answer(together.getFirst())).isInstanceOf(StoreException.Full.class);
    assertThat(answer(together.getLast())).isInstanceOf(Outcome.Done.class);
  }
}
