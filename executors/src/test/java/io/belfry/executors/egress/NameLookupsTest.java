package io.belfry.executors.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.testkit.ManualTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NameLookupsTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private static final Deadline SOON = Deadline.after(Time.system(), Duration.ofMinutes(5));

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch answers = new CountDownLatch(1);
  private final Set<String> beingAsked = ConcurrentHashMap.newKeySet();
  private final NameLookups lookups = new NameLookups(time, this::resolve);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    answers.countDown();
    callers.close();
  }

  /** Nobody answers for hosts of the domain slow, and there are none in the domain nowhere. */
  private InetAddress[] resolve(String host) throws UnknownHostException {
    asked.incrementAndGet();
    if (host.endsWith(".slow")) {
      beingAsked.add(host);
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new UnknownHostException(host);
      }
    }
    if (host.endsWith(".nowhere")) {
      throw new UnknownHostException(host);
    }
    return new InetAddress[] {HERE};
  }

  private List<Future<List<InetAddress>>> askSlow(String namespace, int count) {
    return IntStream.range(0, count)
        .mapToObj(i ->
            callers.submit(() -> lookups.of(namespace).find(namespace + "-" + i + ".slow", SOON)))
        .toList();
  }

  @Test
  void a_namespace_whose_names_nobody_answers_for_does_not_keep_others_from_theirs()
      throws Exception {
    askSlow("stuck", 50);
    await().until(() -> beingAsked.size() == NameLookups.THREADS_PER_NAMESPACE);
    assertThat(lookups.of("other").find("billing.example.org", SOON)).containsExactly(HERE);
    assertThat(beingAsked).hasSize(NameLookups.THREADS_PER_NAMESPACE);
  }

  @Test
  void namespaces_take_turns_when_all_threads_are_taken() throws Exception {
    int full = NameLookups.THREADS / NameLookups.THREADS_PER_NAMESPACE;
    for (int i = 0; i < full; i++) {
      askSlow("stuck" + i, 20);
    }
    await().until(() -> beingAsked.size() == NameLookups.THREADS);
    Future<List<InetAddress>> other =
        callers.submit(() -> lookups.of("other").find("billing.example.org", SOON));
    answers.countDown();
    assertThat(other.get()).containsExactly(HERE);
  }

  private long nanosToFind(String namespace, String host) throws Exception {
    long begun = Time.system().nanos();
    assertThat(lookups.of(namespace).find(host, SOON)).containsExactly(HERE);
    return Time.system().nanos() - begun;
  }

  /** Measured at 1 ms; the bound leaves room for a busy machine. */
  @Test
  void a_namespace_with_10_000_slow_names_does_not_delay_another() throws Exception {
    List<Future<List<InetAddress>>> attack = askSlow("stuck", 10_000);
    await().until(() -> beingAsked.size() == NameLookups.THREADS_PER_NAMESPACE);
    for (int i = 0; i < 200; i++) {
      assertThat(Duration.ofNanos(nanosToFind("other", "host-" + i + ".example.org")))
          .isLessThan(Duration.ofMillis(500));
    }
    int left = NameLookups.THREADS_PER_NAMESPACE + NameLookups.WAITING_PER_NAMESPACE;
    await()
        .until(() ->
            attack.stream().filter(each -> each.state() == Future.State.FAILED).count()
                >= 10_000 - left);
    assertThat(beingAsked).hasSize(NameLookups.THREADS_PER_NAMESPACE);
  }

  /** An attacker that asks for the hosts of others behind names that are never answered. */
  @Test
  void a_name_that_waits_behind_slow_names_of_one_namespace_does_not_wait_for_another()
      throws Exception {
    askSlow("stuck", NameLookups.THREADS_PER_NAMESPACE);
    await().until(() -> beingAsked.size() == NameLookups.THREADS_PER_NAMESPACE);
    var first = callers.submit(() -> lookups.of("stuck").find("billing.example.org", SOON));
    await().until(() -> lookups.waiting("stuck") == 1);
    assertThat(Duration.ofNanos(nanosToFind("other", "billing.example.org")))
        .isLessThan(Duration.ofSeconds(1));
    answers.countDown();
    assertThat(first.get()).containsExactly(HERE);
    assertThat(asked).as("the answer was known by then").hasValue(5);
  }

  @Test
  void namespaces_that_take_all_threads_do_not_delay_one_that_has_none() throws Exception {
    int full = NameLookups.THREADS / NameLookups.THREADS_PER_NAMESPACE;
    for (int i = 0; i < full; i++) {
      askSlow("stuck" + i, 20);
    }
    await().until(() -> beingAsked.size() == NameLookups.THREADS);
    for (int i = 0; i < full; i++) {
      askSlow("late" + i, 20);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(Duration.ofNanos(nanosToFind("other", "host-" + i + ".example.org")))
          .isLessThan(Duration.ofMillis(500));
    }
    await()
        .untilAsserted(() -> assertThat(beingAsked)
            .as("one each for those that came late")
            .hasSize(NameLookups.THREADS + full));
  }

  @Test
  void only_so_many_names_of_a_namespace_wait() {
    List<Future<List<InetAddress>>> all =
        askSlow("stuck", NameLookups.THREADS_PER_NAMESPACE + NameLookups.WAITING_PER_NAMESPACE + 7);
    await()
        .until(() ->
            all.stream().filter(each -> each.state() == Future.State.FAILED).count() == 7);
    assertThat(all.stream().filter(each -> each.state() == Future.State.FAILED))
        .allSatisfy(each -> assertThat(each.exceptionNow())
            .isInstanceOf(UnknownHostException.class)
            .hasMessageContaining("lookups of this namespace are waiting"));
  }

  @Test
  void a_name_is_asked_for_once_however_many_wait_for_it() throws Exception {
    List<Future<List<InetAddress>>> all = IntStream.range(0, 30)
        .mapToObj(i -> callers.submit(() -> lookups.of("n" + i % 3).find("same.slow", SOON)))
        .toList();
    await().until(() -> beingAsked.contains("same.slow"));
    answers.countDown();
    for (Future<List<InetAddress>> each : all) {
      assertThat(each.get()).containsExactly(HERE);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void whoever_is_interrupted_leaves_the_queue() throws Exception {
    List<Future<List<InetAddress>>> all = askSlow("stuck", 40);
    await().until(() -> beingAsked.size() == NameLookups.THREADS_PER_NAMESPACE);
    all.forEach(each -> each.cancel(true));
    callers.close(); // all have left
    answers.countDown();
    assertThat(lookups.of("stuck").find("billing.example.org", SOON)).containsExactly(HERE);
    assertThat(beingAsked).hasSize(NameLookups.THREADS_PER_NAMESPACE);
  }

  @Test
  void what_was_found_and_what_was_not_is_remembered_for_five_seconds() throws Exception {
    HostLookup names = lookups.of("one");
    for (int i = 0; i < 3; i++) {
      assertThat(names.find("billing.example.org", SOON)).containsExactly(HERE);
      assertThatThrownBy(() -> names.find("host.nowhere", SOON))
          .isInstanceOf(UnknownHostException.class)
          .hasMessage("host.nowhere");
    }
    assertThat(asked).hasValue(2);
    time.advance(Duration.ofSeconds(6));
    assertThat(names.find("billing.example.org", SOON)).containsExactly(HERE);
    assertThatThrownBy(() -> names.find("host.nowhere", SOON))
        .isInstanceOf(UnknownHostException.class);
    assertThat(asked).hasValue(4);
  }

  /** Whoever answers for a name decides how many addresses it has, and how many names there are. */
  @Test
  void names_with_many_addresses_are_not_remembered() throws Exception {
    var many = new NameLookups(time, host -> {
      asked.incrementAndGet();
      int count = Integer.parseInt(host.substring(0, host.indexOf('.')));
      return IntStream.range(0, count).mapToObj(i -> HERE).toArray(InetAddress[]::new);
    });
    for (int i = 0; i < 2; i++) {
      assertThat(many.of("one").find("64.test", SOON)).hasSize(64);
    }
    assertThat(asked).hasValue(1);
    // A question that was just answered may still answer the next one.
    await().until(() -> {
      assertThat(many.of("one").find("65.test", SOON)).hasSize(65);
      return asked.get() >= 3;
    });
  }
}
