package io.belfry.executors.egress;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
      Map.entry("127.0.0.1.nip.test", List.of("127.0.0.1")));

  private static TestServer own;
  private static Caller caller;

  @BeforeAll
  static void start() {
    own = TestServer.answering("200 OK", "text/plain", "the inside of Belfry");
    EgressRules rules =
        EgressRules.standard().withOwn("127.0.0.1", own.port()).withOwn("engine.test", 2379);
    caller = Caller.with(rules, SsrfTest::find);
  }

  @AfterAll
  static void stop() {
    caller.close();
    own.close();
  }

  private static List<InetAddress> find(String host) throws UnknownHostException {
    List<String> known = host.equals("engine.test") ? List.of("192.0.2.9") : NAMES.get(host);
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
    return Stream.of(
            "metadata address of most clouds|http://169.254.169.254/latest/meta-data/",
            "metadata address at another port|http://169.254.169.254:8080/",
            "metadata address over TLS|https://169.254.169.254/",
            "container credentials|http://169.254.170.2/v2/credentials",
            "pod identity|http://169.254.170.23/",
            "link-local, first|http://169.254.0.1/",
            "link-local, last|http://169.254.255.255/",
            "metadata of Alibaba|http://100.100.100.200/",
            "metadata of Oracle|http://192.0.0.192/",
            "wire server of Azure|http://168.63.129.16/",
            "metadata of AWS in IPv6|http://[fd00:ec2::254]/",
            "metadata of AWS in IPv6, written out|http://[fd00:0ec2:0000:0000:0000:0000:0000:0254]/",
            "metadata of Google in IPv6|http://[fd20:ce::254]/",
            "metadata by decimal number|http://2852039166/",
            "metadata by hexadecimal number|http://0xa9fea9fe/",
            "metadata by octal number|http://025177524776/",
            "metadata with hexadecimal parts|http://0xa9.0xfe.0xa9.0xfe/",
            "metadata with octal parts|http://0251.0376.0251.0376/",
            "metadata with a leading zero|http://169.254.169.0254/",
            "metadata in three parts|http://169.254.43518/",
            "metadata in two parts|http://169.16689662/",
            "metadata with a dot at the end|http://169.254.169.254./",
            "metadata in full-width digits|http://１６９.254.169.254/",
            "metadata in circled digits|http://①⑥⑨.254.169.254/",
            "metadata with an ideographic dot|http://169。254.169.254/",
            "metadata percent-encoded|http://%31%36%39.254.169.254/",
            "metadata with a percent-encoded dot|http://169%2e254.169.254/",
            "IPv4-mapped metadata|http://[::ffff:169.254.169.254]/",
            "IPv4-mapped metadata in hexadecimal|http://[::ffff:a9fe:a9fe]/",
            "IPv4-compatible metadata|http://[::169.254.169.254]/",
            "IPv4-compatible metadata in hexadecimal|http://[::a9fe:a9fe]/",
            "IPv4-translated metadata|http://[::ffff:0:a9fe:a9fe]/",
            "metadata behind NAT64|http://[64:ff9b::a9fe:a9fe]/",
            "metadata behind NAT64, dotted|http://[64:ff9b::169.254.169.254]/",
            "metadata behind local NAT64|http://[64:ff9b:1::a9fe:a9fe]/",
            "metadata as 6to4|http://[2002:a9fe:a9fe::1]/",
            "metadata as the client of Teredo|http://[2001:0:1:1:0:0:5601:5601]/",
            "metadata as the server of Teredo|http://[2001:0:a9fe:a9fe::1]/",
            "metadata as ISATAP|http://[2001:db8::5efe:a9fe:a9fe]/",
            "metadata as global ISATAP|http://[2001:db8::200:5efe:a9fe:a9fe]/",
            "link-local in IPv6|http://[fe80::1]/",
            "link-local in IPv6 at the end of its range|http://[febf::1]/",
            "link-local in IPv6 with a zone|http://[fe80::1%25eth0]/",
            "link-local in IPv6 with a raw zone|http://[fe80::1%eth0]/",
            "metadata by name, Google|http://metadata.google.internal/computeMetadata/v1/",
            "metadata by name in capitals|http://METADATA.GOOGLE.INTERNAL/",
            "metadata by name, short|http://metadata/",
            "metadata by name, Amazon|http://instance-data/",
            "metadata by name with a dot at the end|http://metadata.google.internal./",
            "a name that leads to metadata|http://rebound.test/",
            "a name with one good and one bad address|http://mixed.test/",
            "a name whose last address is bad|http://mixed-last.test/",
            "a name that leads to mapped metadata|http://mapped.test/",
            "a name that leads to NAT64 metadata|http://nat64.test/",
            "a name that leads to 0.0.0.0|http://zero.test/",
            "a name that leads to ::|http://six-zero.test/",
            "a name that leads to a multicast address|http://cast.test/",
            "a name that leads to metadata of Alibaba|http://alibaba.test/",
            "a name that leads to metadata of AWS in IPv6|http://aws-six.test/",
            "unspecified|http://0.0.0.0/",
            "unspecified as a single zero|http://0/",
            "this network|http://0.1.2.3/",
            "unspecified in IPv6|http://[::]/",
            "unspecified, mapped|http://[::ffff:0.0.0.0]/",
            "multicast|http://224.0.0.1/",
            "multicast in IPv6|http://[ff02::1]/",
            "broadcast|http://255.255.255.255/",
            "own port|http://127.0.0.1:OWN/",
            "own port by another loopback address|http://127.8.9.10:OWN/",
            "own port by name|http://localtest.test:OWN/",
            "own port by a name that looks like an address|http://127.0.0.1.nip.test:OWN/",
            "own port in IPv6|http://[::1]:OWN/",
            "own port by a name in IPv6|http://localtest-six.test:OWN/",
            "own port, mapped|http://[::ffff:127.0.0.1]:OWN/",
            "own port, compatible|http://[::127.0.0.1]:OWN/",
            "own port behind NAT64|http://[64:ff9b::7f00:1]:OWN/",
            "own port as 6to4|http://[2002:7f00:1::]:OWN/",
            "own port by decimal number|http://2130706433:OWN/",
            "own port in two parts|http://127.1:OWN/",
            "own port in hexadecimal|http://0x7f.1:OWN/",
            "own port in octal|http://017700000001:OWN/",
            "own port with a leading zero|http://127.0.0.01:OWN/",
            "port of the engine by its name|http://engine.test:2379/v3/kv/range",
            "port of the engine by its address|http://192.0.2.9:2379/",
            "user information|http://user:pass@127.0.0.1:OWN/",
            "user information that looks like a host|http://example.org@169.254.169.254/",
            "user information with an encoded at|http://example.org%40169.254.169.254/",
            "two at signs|http://a@b@169.254.169.254/",
            "a host after a fragment|http://example.org#@169.254.169.254:80@/",
            "a backslash for a slash|http://example.org\\@169.254.169.254/",
            "a backslash in the host|http://169.254.169.254\\.example.org/",
            "a tab in the host|http://169.254.\t169.254/",
            "a line break in the host|http://169.254.169.254\n/",
            "a carriage return in the path|http://example.org/\r\nHost: inside",
            "a blank before the host|http:// 169.254.169.254/",
            "a NUL in the host|http://169.254.169.254\0.example.org/",
            "a right-to-left mark in the host|http://169.254.169.254\u200f/",
            "a soft hyphen in the name|http://meta\u00addata.google.internal/",
            "an unknown scheme|gopher://127.0.0.1:6379/_FLUSHALL",
            "a file|file:///etc/passwd",
            "a jar|jar:http://127.0.0.1!/x",
            "ftp|ftp://127.0.0.1/",
            "no scheme|//169.254.169.254/",
            "a scheme without slashes|http:169.254.169.254/",
            "one slash|http:/169.254.169.254/",
            "three slashes|http:///169.254.169.254/",
            "no host|http://:80/",
            "port 0|http://127.0.0.1:0/",
            "a port beyond all|http://127.0.0.1:65616/",
            "a negative port|http://127.0.0.1:-80/",
            "two ports|http://127.0.0.1:80:OWN/",
            "an address without its bracket|http://[::1/",
            "brackets around a name|http://[localhost]/",
            "a name of the wrong letters|http://a_b$c/")
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
      assertThat(call(filled).result().message()).contains("example.org has no address");
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
    assertThat(vectors().count()).isGreaterThanOrEqualTo(110);
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
          assertThat(failure.result().message()).contains("Belfry itself");
        });
  }

  @Test
  void a_name_that_changes_its_mind_is_looked_up_once_for_each_call() throws Exception {
    var asked = new AtomicInteger();
    Names rebinding = host -> List.of(
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
      assertThat(changing.failure(spec).result().message()).contains("deny 127.0.0.0/8");
      assertThat(target.received()).hasSize(3);
    }
  }

  @Test
  void every_hop_of_a_redirect_is_checked() {
    for (String place : List.of(
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://rebound.test/",
        "http://2852039166/",
        "http://localtest.test:" + own.port() + "/",
        "//169.254.169.254/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/",
        "http://user@169.254.169.254/",
        "http://metadata.google.internal/")) {
      try (TestServer sends = TestServer.start(
          (request, socket) -> TestServer.answer(socket, "302 Found", "Location: " + place, ""))) {
        Failure failure = caller.failure(Caller.spec("url", sends.url("/"), "redirects", 5));
        assertThat(failure.kind()).as(place).isEqualTo(FailureKind.REJECTED);
        assertThat(sends.received()).hasSize(1);
      }
    }
    assertThat(own.connections()).isZero();
  }
}
