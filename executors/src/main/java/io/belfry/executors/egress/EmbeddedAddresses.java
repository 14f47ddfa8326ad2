package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The IPv4 addresses that are embedded in an IPv6 address: a gateway or kernel on the way may translate it to them.
 *
 * <pre>
 *   ::a.b.c.d  ::ffff:a.b.c.d  ::ffff:0:a.b.c.d    compatible, mapped, translated
 *   64:ff9b::/96                                   NAT64
 *   64:ff9b:1::/48                                 local NAT64: a translator there has a prefix of 48, 56, 64 or 96 bits (RFC 6052)
 *   2002:AABB:CCDD::/48                            6to4
 *   2001:0::/32                                    Teredo: its server, and its client with all bits inverted
 *   …:0:5efe:a.b.c.d  …:200:5efe:a.b.c.d           ISATAP
 * </pre>
 *
 * <p>Threading: stateless.
 */
final class EmbeddedAddresses {
  private static final int SIX_BYTES = 16;
  private static final int LAST = 12;

  /** Positions of the four bytes after a prefix of 48, 56, 64 and 96 bits; the eighth byte is never one of them. */
  private static final int[][] LOCAL_NAT64 = {
    {6, 7, 9, 10}, {7, 9, 10, 11}, {9, 10, 11, 12}, {12, 13, 14, 15}
  };

  private EmbeddedAddresses() {}

  /** The address itself and the addresses embedded in it. */
  static List<InetAddress> meanings(InetAddress address) {
    byte[] b = address.getAddress();
    if (b.length != SIX_BYTES) {
      return List.of(address);
    }
    var all = new ArrayList<InetAddress>();
    all.add(address);
    if (isCompatible(b) || isMapped(b) || isTranslated(b) || isNat64(b) || isIsatap(b)) {
      all.add(four(b, LAST, 0));
    }
    if (starts(b, 0, 0x64, 0xff, 0x9b, 0, 1)) {
      all.addAll(localNat64(b));
    }
    if (starts(b, 0x20, 0x02)) {
      all.add(four(b, 2, 0));
    }
    if (starts(b, 0x20, 0x01, 0, 0)) {
      all.add(four(b, 4, 0));
      all.add(four(b, LAST, 0xff));
    }
    return all;
  }

  /** The unspecified address and loopback have the same form, but are IPv6. */
  private static boolean isCompatible(byte[] b) {
    return isZero(b, 0, LAST)
        && !(isZero(b, LAST, SIX_BYTES - 1) && b[SIX_BYTES - 1] <= 1 && b[SIX_BYTES - 1] >= 0);
  }

  private static boolean isMapped(byte[] b) {
    return isZero(b, 0, 10) && isAt(b, 10, 0xff, 0xff);
  }

  private static boolean isTranslated(byte[] b) {
    return isZero(b, 0, 8) && isAt(b, 8, 0xff, 0xff, 0, 0);
  }

  private static boolean isNat64(byte[] b) {
    return starts(b, 0, 0x64, 0xff, 0x9b) && isZero(b, 4, LAST);
  }

  /**
   * Decodes with every prefix length that the translator may use: its length cannot be seen from the address, and it ignores what follows
   * the four bytes. A result in 0.0.0.0/8 comes from the zeros around an address with another prefix length, unless all results are such.
   */
  private static List<InetAddress> localNat64(byte[] b) {
    List<InetAddress> readings =
        Arrays.stream(LOCAL_NAT64).map(at -> four(b, at)).toList();
    List<InetAddress> meant =
        readings.stream().filter(reading -> reading.getAddress()[0] != 0).toList();
    return meant.isEmpty() ? readings : meant;
  }

  private static boolean isIsatap(byte[] b) {
    return isAt(b, 8, 0, 0, 0x5e, 0xfe) || isAt(b, 8, 2, 0, 0x5e, 0xfe);
  }

  private static boolean starts(byte[] b, int... with) {
    return isAt(b, 0, with);
  }

  private static boolean isAt(byte[] b, int from, int... expected) {
    for (int i = 0; i < expected.length; i++) {
      if ((b[from + i] & 0xff) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isZero(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static InetAddress four(byte[] b, int from, int turned) {
    byte[] four = Arrays.copyOfRange(b, from, from + 4);
    for (int i = 0; i < four.length; i++) {
      four[i] = (byte) (four[i] ^ turned);
    }
    return address(four);
  }

  private static InetAddress four(byte[] b, int[] at) {
    byte[] four = new byte[at.length];
    for (int i = 0; i < four.length; i++) {
      four[i] = b[at[i]];
    }
    return address(four);
  }

  private static InetAddress address(byte[] four) {
    try {
      return InetAddress.getByAddress(four);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("Four bytes must form an address.", e);
    }
  }
}
