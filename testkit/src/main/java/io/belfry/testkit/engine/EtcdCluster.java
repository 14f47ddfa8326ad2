package io.belfry.testkit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An etcd cluster of three real members on loopback.
 *
 * <p>Threading: confined to the test.
 */
public final class EtcdCluster implements AutoCloseable {
  private static final int MEMBERS = 3;
  private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");
  private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

  private final List<EtcdServer> members;

  private EtcdCluster(List<EtcdServer> members) {
    this.members = members;
  }

  /** Returns once all members are ready. */
  public static EtcdCluster start(EtcdOptions options) {
    List<EtcdServer.MemberPorts> ports = EtcdServer.MemberPorts.free(MEMBERS);
    String everybody = IntStream.range(0, MEMBERS)
        .mapToObj(i -> "m" + i + "=http://127.0.0.1:" + ports.get(i).peer())
        .collect(Collectors.joining(","));
    EtcdOptions together =
        options.flag("initial-cluster-token", "belfry-" + ports.getFirst().peer());
    var members = new ArrayList<EtcdServer>();
    try {
      for (int i = 0; i < MEMBERS; i++) {
        members.add(EtcdServer.launch("m" + i, together, ports.get(i), everybody, 100, 1000));
      }
      members.forEach(member -> member.process().awaitReady());
      return new EtcdCluster(List.copyOf(members));
    } catch (RuntimeException e) {
      members.forEach(EtcdServer::close);
      throw e;
    }
  }

  public EtcdServer member(int i) {
    return members.get(i);
  }

  public String uri() {
    return members.stream()
        .map(member -> "127.0.0.1:" + member.port())
        .collect(Collectors.joining(",", "etcd://", ""));
  }

  /** The index of the leader, as reported by a running member. */
  public int leader() {
    for (int i = 0; i < MEMBERS; i++) {
      if (members.get(i).process().isRunning()) {
        String status = members.get(i).gateway().post("/v3/maintenance/status", "{}");
        if (first(LEADER, status).equals(first(MEMBER, status))) {
          return i;
        }
      }
    }
    throw new IllegalStateException("No running member is the leader.");
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  @Override
  public void close() {
    members.forEach(EtcdServer::close);
  }
}
