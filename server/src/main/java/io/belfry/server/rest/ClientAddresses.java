package io.belfry.server.rest;

import io.belfry.model.Check;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where requests come from. A request from a trusted proxy comes from the right-most address in {@code X-Forwarded-For} that is not a
 * trusted proxy; from anybody else the header is ignored, because its sender writes it.
 *
 * <p>Threading: immutable.
 */
public final class ClientAddresses {
  /** Trusts no proxy. */
  public static final ClientAddresses DIRECT = new ClientAddresses(List.of());

  private static final String HEADER = "X-Forwarded-For";
  private static final String LETTERS = "0123456789abcdef:.";
  private static final int CHARS_MAX = 45;
  private static final int HOPS_MAX = 32;
  private static final int NETWORK_BYTES = 8;

  private record Range(byte[] network, int bits) {
    boolean contains(byte[] address) {
      if (address.length != network.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((address[bit / 8] & mask) != (network[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Range> trusted;

  private ClientAddresses(List<Range> trusted) {
    this.trusted = trusted;
  }

  /**
   * Trusts these proxies.
   *
   * @param field of the configuration, for refusals
   * @param ranges addresses, or ranges such as {@code 10.0.0.0/8}
   */
  public static ClientAddresses trusting(String field, List<String> ranges) {
    return new ClientAddresses(ranges.stream().map(each -> range(field, each)).toList());
  }

  private static Range range(String field, String text) {
    int slash = text.indexOf('/');
    Optional<byte[]> base = parse(slash < 0 ? text : text.substring(0, slash));
    int all = base.map(bytes -> bytes.length * 8).orElse(0);
    int bits = slash < 0 ? all : number(text.substring(slash + 1));
    Check.that(
        base.isPresent() && bits >= 0 && bits <= all,
        field,
        text,
        "must be addresses or ranges of addresses (CIDR), because clients are told from proxies by them",
        "Write them like 10.0.0.0/8, 192.0.2.7 or fd00::/8.");
    return new Range(base.orElseThrow(), bits);
  }

  private static int number(String text) {
    boolean digits =
        !text.isEmpty() && text.length() <= 3 && text.chars().allMatch(Character::isDigit);
    return digits ? Integer.parseInt(text) : -1;
  }

  /** An address in its usual spelling. What has only letters of addresses in it is never looked up as a name. */
  private static Optional<byte[]> parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    boolean six = lower.indexOf(':') != lower.lastIndexOf(':');
    boolean four = lower.chars().filter(c -> c == '.').count() == 3
        && lower.chars().allMatch(c -> c == '.' || Character.isDigit(c));
    if (lower.length() > CHARS_MAX
        || !(six || four)
        || !lower.chars().allMatch(c -> LETTERS.indexOf(c) >= 0)) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(six ? "[" + lower + "]" : lower).getAddress());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** The address of the client, as the audit log shows it. */
  String of(Context context) {
    return of(context.ip(), Collections.list(context.req().getHeaders(HEADER)));
  }

  String of(String peer, List<String> forwarded) {
    String client = plain(peer);
    if (trusted.isEmpty() || !isTrusted(client)) {
      return client;
    }
    List<String> hops = hops(forwarded);
    for (int i = hops.size() - 1; i >= Math.max(0, hops.size() - HOPS_MAX); i--) {
      Optional<byte[]> hop = parse(hops.get(i));
      if (hop.isEmpty()) {
        return client; // what is left of it was not written by a proxy that is trusted
      }
      client = show(hop.get());
      if (!isTrusted(client)) {
        return client;
      }
    }
    return client;
  }

  /** The web server puts brackets around addresses of IPv6, and a zone may stand behind them. */
  private static String plain(String peer) {
    boolean brackets = peer.startsWith("[") && peer.endsWith("]");
    String bare = brackets ? peer.substring(1, peer.length() - 1) : peer;
    int zone = bare.indexOf('%');
    return zone < 0 ? bare : bare.substring(0, zone);
  }

  private static List<String> hops(List<String> forwarded) {
    var hops = new ArrayList<String>();
    forwarded.forEach(
        header -> Arrays.stream(header.split(",")).map(String::strip).forEach(hops::add));
    return hops;
  }

  private boolean isTrusted(String address) {
    return parse(address)
        .filter(bytes -> trusted.stream().anyMatch(range -> range.contains(bytes)))
        .isPresent();
  }

  private static String show(byte[] address) {
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  /** Under which requests of that client are counted: an IPv6 client has a whole network (/64) to itself. */
  static String bucket(String address) {
    return parse(address)
        .filter(bytes -> bytes.length > NETWORK_BYTES)
        .map(
            bytes -> show(Arrays.copyOf(Arrays.copyOf(bytes, NETWORK_BYTES), bytes.length)) + "/64")
        .orElse(address);
  }
}
