package io.belfry.executors.egress;

import io.belfry.model.Check;
import java.net.InetAddress;

/**
 * An address range (CIDR), such as {@code 10.0.0.0/8} or {@code fd00::/8}; a single address is a range of one.
 *
 * <p>Threading: immutable.
 */
final class Cidr {
  private final byte[] network;
  private final int bits;
  private final String text;

  private Cidr(byte[] network, int bits, String text) {
    this.network = network;
    this.bits = bits;
    this.text = text;
  }

  static Cidr parse(String field, String text) {
    int slash = text.indexOf('/');
    String base = slash < 0 ? text : text.substring(0, slash);
    InetAddress address = Host.parse(field, base.contains(":") ? "[" + base + "]" : base)
        .address()
        .orElseThrow(() -> Check.refusal(
            field,
            text,
            "must be an address or an address range (CIDR)",
            "Write it like 10.0.0.0/8."));
    byte[] bytes = address.getAddress();
    int all = bytes.length * Byte.SIZE;
    int bits = slash < 0 ? all : bits(field, text, text.substring(slash + 1), all);
    return new Cidr(masked(bytes, bits), bits, text);
  }

  private static int bits(String field, String text, String written, int all) {
    boolean digits = written.length() <= 3 && written.chars().allMatch(c -> c >= '0' && c <= '9');
    int bits = digits && !written.isEmpty() ? Integer.parseInt(written) : -1;
    if (bits < 0 || bits > all) {
      throw Check.refusal(
          field,
          text,
          "must have 0 to " + all
              + " bits after the slash, because that is the length of the address",
          "Correct the number of bits.");
    }
    return bits;
  }

  boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  /** Compares whole bytes first: most addresses differ in the first byte, and every call is compared with every range. */
  boolean contains(byte[] address) {
    if (address.length != network.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (address[i] != network[i]) {
        return false;
      }
    }
    int rest = bits % Byte.SIZE;
    return rest == 0
        || (address[whole] & (0xff << (Byte.SIZE - rest)) & 0xff) == (network[whole] & 0xff);
  }

  private static byte[] masked(byte[] address, int bits) {
    byte[] masked = address.clone();
    for (int i = 0; i < masked.length; i++) {
      int kept = Math.clamp(bits - (long) i * Byte.SIZE, 0, Byte.SIZE);
      masked[i] = (byte) (masked[i] & (0xff << (Byte.SIZE - kept)));
    }
    return masked;
  }

  @Override
  public String toString() {
    return text;
  }
}
