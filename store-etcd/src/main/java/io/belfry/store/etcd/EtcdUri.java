package io.belfry.store.etcd;

import io.belfry.store.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code etcd://h:p,h:p} and {@code etcds://h:p,h:p}: members of one cluster, with or without TLS; behind a question mark, whose etcd it is:
 * {@code ?dedicated=yes&quota-bytes=8589934592&keep-seconds=60}.
 */
record EtcdUri(boolean tls, List<Endpoint> endpoints, EtcdSettings.Room room) {
  private static final int PORT_DEFAULT = 2379;
  private static final String SHAPE =
      "Write etcd://host:port,host:port, or etcds:// for TLS, for example"
          + " etcd://10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379.";

  EtcdUri {
    endpoints = List.copyOf(endpoints);
  }

  static EtcdUri parse(String uri) {
    boolean tls = uri.startsWith("etcds://");
    if (!tls && !uri.startsWith("etcd://")) {
      throw bad(uri, "must begin with etcd:// or etcds://");
    }
    String rest = uri.substring(uri.indexOf("://") + 3);
    if (rest.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "An etcd URI must not contain a user or password, because URIs end up in logs, but this one"
              + " does (not shown). Use the settings etcd.user and etcd.password.");
    }
    int question = rest.indexOf('?');
    EtcdSettings.Room room =
        question < 0 ? EtcdSettings.Room.SHARED : room(uri, rest.substring(question + 1));
    if (question >= 0) {
      rest = rest.substring(0, question);
    }
    if (rest.endsWith("/")) {
      rest = rest.substring(0, rest.length() - 1);
    }
    if (rest.isEmpty()) {
      throw bad(uri, "must name at least one member");
    }
    var endpoints = new ArrayList<Endpoint>();
    for (String member : rest.split(",", -1)) {
      endpoints.add(member(uri, member));
    }
    if (endpoints.stream().distinct().count() != endpoints.size()) {
      throw bad(uri, "must name each member once");
    }
    return new EtcdUri(tls, endpoints, room);
  }

  private static EtcdSettings.Room room(String uri, String options) {
    EtcdSettings.Room room = EtcdSettings.Room.SHARED;
    for (String option : options.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      String value = equals < 0 ? "" : option.substring(equals + 1);
      room = switch (name) {
        case "dedicated" -> new EtcdSettings.Room(yes(uri, value), room.keep(), room.quotaBytes());
        case "quota-bytes" -> room.quotaBytes(number(uri, name, value));
        case "keep-seconds" ->
          new EtcdSettings.Room(
              room.dedicated(), Duration.ofSeconds(number(uri, name, value)), room.quotaBytes());
        default ->
          throw bad(
              uri,
              "may have the options dedicated, quota-bytes and keep-seconds behind a '?', but not '"
                  + name + "'");
      };
    }
    return room;
  }

  private static boolean yes(String uri, String value) {
    return switch (value) {
      case "yes", "true" -> true;
      case "no", "false" -> false;
      default -> throw bad(uri, "must say dedicated=yes or dedicated=no, not '" + value + "'");
    };
  }

  private static long number(String uri, String name, String value) {
    if (!value.matches("[0-9]{1,15}")) {
      throw bad(uri, "must give " + name + " as a whole number, not '" + value + "'");
    }
    return Long.parseLong(value);
  }

  private static Endpoint member(String uri, String member) {
    if (member.isEmpty()) {
      throw bad(uri, "must not have an empty member between its commas");
    }
    if (member.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '?' || c == '#')) {
      throw bad(
          uri, "must consist of members only, without path, query or blanks, at '" + member + "'");
    }
    int bracket = member.lastIndexOf(']');
    int colon = member.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? member : member.substring(0, colon);
    if (host.isEmpty()
        || host.startsWith("[") != (bracket >= 0)
        || (bracket >= 0 && bracket != host.length() - 1)) {
      throw bad(uri, "must give a host for each member, IPv6 in brackets, at '" + member + "'");
    }
    int port = colon < 0
        ? PORT_DEFAULT
        : port(member.substring(colon + 1))
            .orElseThrow(() -> bad(
                uri, "must have ports from 1 to 65535 (IPv6 in brackets), at '" + member + "'"));
    return new Endpoint(host, port);
  }

  private static Optional<Integer> port(String text) {
    if (!text.matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    return Optional.of(Integer.parseInt(text)).filter(port -> port >= 1 && port <= 65535);
  }

  private static IllegalArgumentException bad(String uri, String rule) {
    return new IllegalArgumentException(
        "An etcd URI " + rule + ", but was '" + uri + "'. " + SHAPE);
  }
}
