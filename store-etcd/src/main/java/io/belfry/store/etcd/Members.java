package io.belfry.store.etcd;

import io.belfry.store.Endpoint;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.ClusterGrpc;
import io.belfry.store.etcd.proto.MemberListRequest;
import io.belfry.store.etcd.proto.MemberListResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where all members of the cluster listen, for clients and for each other; also those that the settings do not name. Asks every few
 * seconds, because members come and go, and keeps the last answer.
 *
 * <p>Threading: safe.
 */
final class Members {
  private static final Logger LOG = LoggerFactory.getLogger(Members.class);
  private static final Pattern URL =
      Pattern.compile("https?://(\\[[^\\]/]{1,100}\\]|[^\\[\\]:/@]{1,255}):(\\d{1,5})(?:/.*)?");
  private static final int PORT_MAX = 65_535;
  private static final long EVERY_SECONDS = 3;

  private final Calls calls;
  private final Set<Endpoint> told;
  private volatile Set<Endpoint> all;

  Members(Calls calls, List<Endpoint> told) {
    this.calls = calls;
    this.told = Set.copyOf(told);
    this.all = this.told;
  }

  Set<Endpoint> all() {
    return all;
  }

  void start(ScheduledExecutorService timer) {
    var unused = timer.scheduleWithFixedDelay(this::ask, 0, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  private void ask() {
    var unused = calls
        .ask(
            ClusterGrpc.getMemberListMethod(),
            MemberListRequest.getDefaultInstance(),
            Repeat.FREELY)
        .whenComplete((answer, failure) -> {
          if (failure == null) {
            all = with(answer);
          } else { // what is wrong with etcd is logged by those who need it
            LOG.debug("The members of etcd could not be listed; asked again later.", failure);
          }
        });
  }

  private Set<Endpoint> with(MemberListResponse answer) {
    Stream<Endpoint> found = answer.getMembersList().stream()
        .flatMap(member ->
            Stream.concat(member.getClientURLsList().stream(), member.getPeerURLsList().stream()))
        .flatMap(url -> endpoint(url).stream());
    return Stream.concat(told.stream(), found).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Such as {@code https://10.0.0.2:2379}; nothing for one that is no address of the network. Read by hand, because names that Java's URIs
   * refuse, such as {@code etcd_1}, are names all the same.
   */
  static Optional<Endpoint> endpoint(String url) {
    Matcher matcher = URL.matcher(url);
    return matcher.matches()
        ? Optional.of(new Endpoint(matcher.group(1), Integer.parseInt(matcher.group(2))))
            .filter(each -> each.port() >= 1 && each.port() <= PORT_MAX)
        : Optional.empty();
  }
}
