package io.belfry.executors.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belfry.executors.TestServer;
import io.belfry.executors.http.Caller;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.time.Time;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ways to make the executor call what it must not, each through the executor itself. */
class SsrfTest {
  private static final Map<String, List<String>> NAMES = Map.ofEntries(
      Map.entry("rebound.test", List.of("169.254.169.254")),
      Map.entry("mixed.test", List.of("127.0.0.1", "169.254.169.254")),
      Map.entry("mixed-last.test", List.of("93.184.216.34", "::1", "fe80::1")),
      Map.entry("mapped.test", List.of("::ffff:169.254.169.254")),
      Map.entry("nat64.test", List.of("64:ff9b::a9fe:a9fe")),
      Map.entry("zero.test", List.of("0.0.0.0")),
      Map.entry("six-zero.test", List.of("::")),
      Map.entry("cast.test", List.of("239.1.1.1")),
      Map.entry("alibaba.test", List.of("100.100.100.200")),
      Map.entry("aws-six.test", List.of("fd00:ec2::254")),
      Map.entry("localtest.test", List.of("127.0.0.1")),
      Map.entry("localtest-six.test", List.of("::1")),
      Map.entry("127.0.0.1.nip.test", List.of("127.0.0.1")),
      Map.entry("a9fea9fe.nip.test", List.of("169.254.169.254")),
      Map.entry("xn--mtadata-0za.test", List.of("169.254.169.254")),
      Map.entry("compat.test", List.of("::169.254.169.254")),
      Map.entry("sixtofour.test", List.of("2002:a9fe:a9fe::1")),
      Map.entry("teredo.test", List.of("2001:0:a9fe:a9fe::1")),
      Map.entry("isatap.test", List.of("2001:db8::5efe:a9fe:a9fe")),
      Map.entry("translated.test", List.of("::ffff:0:a9fe:a9fe")),
      Map.entry("local-nat64.test", List.of("64:ff9b:1::a9fe:a9fe")),
      Map.entry("local-nat64-48.test", List.of("64:ff9b:1:a9fe:a9:fe00::")),
      Map.entry("scaleway-six.test", List.of("fd00:42::42")),
      Map.entry("many.test", many()),
      Map.entry("own-last.test", List.of("93.184.216.34", "198.51.100.7", "127.0.0.1")),
      Map.entry("engine-last.test", List.of("93.184.216.34", "192.0.2.10")),
      Map.entry("node-last.test", List.of("93.184.216.34", "fd00:77::2")),
      Map.entry("link.test", List.of("fe80::1")),
      Map.entry("broadcast.test", List.of("255.255.255.255")),
      Map.entry("azure.test", List.of("168.63.129.16")),
      Map.entry("oracle.test", List.of("192.0.0.192")),
      Map.entry("google-six.test", List.of("fd20:ce::254")),
      Map.entry("this-net.test", List.of("0.0.0.1")));

  private static List<String> many() {
    var all = new ArrayList<String>();
    for (int i = 1; i <= 60; i++) {
      all.add("198.51.100." + i);
    }
    all.add("169.254.169.254");
    return all;
  }

  private static final Deadline SOON = Deadline.after(Time.system(), Duration.ofMinutes(5));

  private static TestServer own;
  private static Caller caller;

  @BeforeAll
  static void start() {
    own = TestServer.answering("200 OK", "text/plain", "the inside of Belfry");
    EgressRules rules = EgressRules.standard()
        .withOwn("127.0.0.1", own.port())
        .withOwn("engine.test", 2379)
        .withOwn(Map.of(
            26379, Set.of("192.0.2.20", "::ffff:192.0.2.21", "2001:db8::20"),
            9090, Set.of("192.0.2.77", "fd00:77::2", "64:ff9b::192.0.2.78")));
    caller = Caller.with(rules, SsrfTest::find);
  }

  @AfterAll
  static void stop() {
    caller.close();
    own.close();
  }

  private static List<InetAddress> find(String host, Deadline until) throws UnknownHostException {
    List<String> known =
        host.equals("engine.test") ? List.of("192.0.2.9", "192.0.2.10") : NAMES.get(host);
    if (known == null) {
      throw new UnknownHostException(host);
    }
    var addresses = new ArrayList<InetAddress>();
    for (String text : known) {
      addresses.add(InetAddress.getByName(text));
    }
    return addresses;
  }

  private static Stream<Arguments> vectors() {
    return SsrfVectors.all()
        .map(vector -> vector.split("\\|", 2))
        .map(vector -> Arguments.of(vector[0], vector[1]));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void is_refused(String name, String url) {
    String filled = url.replace("OWN", String.valueOf(own.port()));
    if (name.equals(
        "a host after a fragment")) { // what follows the fragment is never sent, and the host is
      // unknown
      assertThat(call(filled).result().message())
          .contains("the host name example.org could not be resolved");
      return;
    }
    Failure failure = call(filled);
    assertThat(failure.kind()).as(failure.result().message()).isEqualTo(FailureKind.REJECTED);
    assertThat(failure.result().message()).startsWith("executor.url").doesNotContain("pass@");
    assertThat(own.connections()).isZero();
  }

  private static Failure call(String url) {
    return caller.failure(ExecutorSpec.http("GET", url));
  }

  @Test
  void there_are_enough_of_them() {
    assertThat(vectors().count()).isGreaterThanOrEqualTo(300);
  }

  @Test
  void own_ports_are_refused_on_every_address_of_this_machine() throws SocketException {
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLinkLocalAddress())
        .map(address -> address.getHostAddress().replaceAll("%.*", ""))
        .map(text -> text.contains(":") ? "[" + text + "]" : text)
        .forEach(host -> {
          Failure failure = call("http://" + host + ":" + own.port() + "/");
          assertThat(failure.kind()).as(host).isEqualTo(FailureKind.REJECTED);
          assertThat(failure.result().message()).contains("a port of Belfry");
        });
  }

  @Test
  void a_name_that_changes_its_mind_is_looked_up_once_for_each_call() throws Exception {
    var asked = new AtomicInteger();
    HostLookup rebinding = (host, until) -> List.of(
        InetAddress.getByName(asked.incrementAndGet() == 1 ? "127.0.0.1" : "169.254.169.254"));
    try (TestServer outside = TestServer.answering("200 OK", "text/plain", "hello");
        Caller rebound = Caller.with(EgressRules.standard(), rebinding)) {
      ExecutorSpec spec = ExecutorSpec.http("GET", "http://changing.test:" + outside.port() + "/");
      assertThat(rebound.call(spec).data().text()).isEqualTo("hello");
      assertThat(asked).hasValue(1);
      assertThat(outside.only().header("Host")).isEqualTo("changing.test:" + outside.port());
      assertThat(rebound.failure(spec).kind())
          .isEqualTo(FailureKind.REJECTED); // though a connection is open
      assertThat(asked).hasValue(2);
      assertThat(outside.received()).hasSize(1);
    }
  }

  @Test
  void a_connection_of_older_rules_does_not_serve_newer_ones() throws Exception {
    var rules = new ArrayList<>(List.of(EgressRules.standard()));
    try (TestServer target = TestServer.answering("200 OK", "text/plain", "hello");
        Caller changing =
            Caller.with(rules::getLast, NameLookups.system(Time.system()).of("test"))) {
      ExecutorSpec spec = ExecutorSpec.http("GET", target.url("/"));
      changing.call(spec);
      changing.call(spec);
      assertThat(target.connections()).isEqualTo(1);
      rules.add(EgressRules.standard());
      changing.call(spec);
      assertThat(target.connections()).isEqualTo(2);
      rules.add(EgressRules.standard().deny("127.0.0.0/8"));
      assertThat(changing.failure(spec).result().message()).contains("deny rule 127.0.0.0/8");
      assertThat(target.received()).hasSize(3);
    }
  }

  private static Stream<Arguments> redirects() {
    return Stream.of(
            "301 Moved Permanently",
            "302 Found",
            "303 See Other",
            "307 Temporary Redirect",
            "308 Permanent Redirect")
        .flatMap(status -> Stream.of(
                "http://169.254.169.254/latest/meta-data/",
                "http://[::ffff:a9fe:a9fe]/",
                "http://rebound.test/",
                "http://mixed.test/",
                "http://2852039166/",
                "http://localtest.test:OWN/",
                "http://engine.test:2379/",
                "http://192.0.2.20:26379/",
                "http://192.0.2.77:9090/",
                "//169.254.169.254/",
                "\\\\169.254.169.254/",
                "/\\169.254.169.254/",
                "file:///etc/passwd",
                "gopher://127.0.0.1:6379/",
                "data:text/plain,x",
                "HTTP://169.254.169.254/",
                "http://user@169.254.169.254/",
                "http://127.0.0.1:0/",
                "http://metadata.google.internal/")
            .map(place -> Arguments.of(status, place)));
  }

  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource("redirects")
  void every_hop_of_a_redirect_is_checked(String status, String to) {
    String place = to.replace("OWN", String.valueOf(own.port()));
    try (TestServer sends = TestServer.start(
        (request, socket) -> TestServer.answer(socket, status, "Location: " + place, ""))) {
      Failure failure = caller.failure(Caller.spec("url", sends.url("/"), "redirects", 5));
      assertThat(failure.kind()).as(place).isEqualTo(FailureKind.REJECTED);
      assertThat(sends.received()).hasSize(1);
    }
    assertThat(own.connections()).isZero();
  }

  @Test
  void the_last_hop_of_a_chain_of_redirects_is_checked_like_the_first() {
    try (TestServer sends = TestServer.start((request, socket) -> {
      int hop = Integer.parseInt(request.target().substring(1));
      String next = hop < 3 ? "/" + (hop + 1) : "http://localtest.test:" + own.port() + "/";
      TestServer.answer(socket, "302 Found", "Location: " + next, "");
    })) {
      Failure failure = caller.failure(Caller.spec("url", sends.url("/0"), "redirects", 5));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(sends.received()).hasSize(4);
    }
    assertThat(own.connections()).isZero();
  }

  @Test
  void a_name_that_changes_its_mind_between_two_hops_is_refused() throws Exception {
    var asked = new AtomicInteger();
    HostLookup rebinding = (host, until) -> List.of(
        InetAddress.getByName(asked.incrementAndGet() == 1 ? "127.0.0.1" : "169.254.169.254"));
    try (TestServer sends = TestServer.start((request, socket) -> TestServer.answer(
            socket, "302 Found", "Location: http://" + request.header("Host") + "/again", ""));
        Caller rebound = Caller.with(EgressRules.standard(), rebinding)) {
      Failure failure = rebound.failure(
          Caller.spec("url", "http://changing.test:" + sends.port() + "/", "redirects", 5));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(sends.received()).hasSize(1);
      assertThat(asked).hasValue(2);
    }
  }

  /** What is allowed stays allowed: another port of a host of ours, and another host at a port of ours. */
  @Test
  void what_is_beside_an_own_port_is_not_refused() {
    for (String url : List.of(
        "http://192.0.2.77:9091/",
        "http://192.0.2.79:9090/",
        "http://engine.test:2380/",
        "http://192.0.2.11:2379/")) {
      EgressRules rules =
          EgressRules.standard().withOwn("engine.test", 2379).withOwn("192.0.2.77", 9090);
      assertThat(catchThrowable(() ->
              new Egress(() -> rules, SsrfTest::find).check("url", Target.parse("url", url), SOON)))
          .as(url)
          .isNull();
    }
  }
}
