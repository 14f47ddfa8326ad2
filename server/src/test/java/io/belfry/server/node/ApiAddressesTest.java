package io.belfry.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.model.time.Time;
import io.belfry.server.access.Spaces;
import io.belfry.store.Commit;
import io.belfry.store.Endpoint;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.StoreException;
import io.belfry.testkit.RefusingStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiAddressesTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Time time = Time.system();
  private final RefusingStore store = new RefusingStore(new MemoryStore(time, Runnable::run));
  private final ThreadLoop loop =
      new ThreadLoop("test", time, new SplittableRandom(1), thrown -> {});

  @AfterEach
  void end() {
    loop.close();
    store.close();
  }

  private ApiAddresses node(String incarnation, String... addresses) {
    return new ApiAddresses(loop, store, incarnation, () -> Set.of(addresses));
  }

  private static void awaitEndpoints(ApiAddresses node, Endpoint... expected) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(node.endpoints()).containsExactlyInAnyOrder(expected));
  }

  @Test
  void a_node_is_known_to_the_others_by_all_addresses_of_its_machine_until_it_stops() {
    ApiAddresses here = node("a", "192.0.2.1");
    ApiAddresses there = node("b", "192.0.2.2", "fd00::2");
    there.announce(8080);
    awaitEndpoints(here, new Endpoint("192.0.2.2", 8080), new Endpoint("fd00::2", 8080));
    awaitEndpoints(
        there,
        new Endpoint("*", 8080),
        new Endpoint("192.0.2.2", 8080),
        new Endpoint("fd00::2", 8080));
    there.stop().join();
    awaitEndpoints(here);
  }

  @Test
  void a_node_on_the_same_machine_is_meant_on_all_its_addresses() {
    ApiAddresses here = node("a", "192.0.2.1", "10.0.0.1");
    node("b", "192.0.2.1", "10.0.0.1").announce(8081);
    node("c").announce(8082); // its machine has nothing but loopback, and reaches this engine
    awaitEndpoints(
        here,
        new Endpoint("*", 8081),
        new Endpoint("192.0.2.1", 8081),
        new Endpoint("10.0.0.1", 8081),
        new Endpoint("*", 8082));
  }

  /** Docker gives 172.17.0.1 to every machine: it says nothing about whether two nodes are on the same one. */
  @Test
  void a_node_elsewhere_that_shares_an_address_is_known_by_all_of_its_addresses() {
    ApiAddresses here = node("a", "192.0.2.1", "172.17.0.1");
    node("b", "192.0.2.2", "fd00::2", "172.17.0.1").announce(8080);
    awaitEndpoints(
        here,
        new Endpoint("192.0.2.2", 8080),
        new Endpoint("fd00::2", 8080),
        new Endpoint("172.17.0.1", 8080),
        new Endpoint("*", 8080));
  }

  @Test
  void a_node_announces_itself_once_the_engine_accepts_it() {
    ApiAddresses here = node("a", "192.0.2.1");
    await().atMost(LIMIT).until(() -> here.loaded().isDone());
    store.refuse(
        RefusingStore.Scope.EVERYTHING,
        () -> new StoreException.Unavailable("refused on purpose", null));
    node("b", "192.0.2.2").announce(8080);
    store.accept();
    awaitEndpoints(here, new Endpoint("192.0.2.2", 8080));
  }

  @Test
  void a_record_that_cannot_be_read_does_not_hide_the_others() {
    store
        .commit(Commit.when()
            .put(Key.of(Spaces.APIS, "bad"), "{\"port\": 1}".getBytes(StandardCharsets.UTF_8))
            .put(Key.of(Spaces.APIS, "worse"), "?".getBytes(StandardCharsets.UTF_8))
            .build())
        .toCompletableFuture()
        .join();
    ApiAddresses here = node("a", "192.0.2.1");
    node("b", "192.0.2.2").announce(8080);
    awaitEndpoints(here, new Endpoint("192.0.2.2", 8080));
  }
}
