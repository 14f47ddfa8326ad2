package io.belfry.executors.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Addresses that no rule can allow: cloud metadata services, and link-local, unspecified, multicast and broadcast addresses.
 *
 * <p>Threading: stateless.
 */
final class NeverAllowed {
  private record Range(String what, List<Cidr> of) {}

  private static final List<Range> RANGES = List.of(
      range(
          "a metadata address",
          "169.254.169.254",
          "169.254.170.2",
          "169.254.170.23",
          "100.100.100.200",
          "192.0.0.192",
          "168.63.129.16",
          "fd00:ec2::254",
          "fd00:ec2::23",
          "fd20:ce::254",
          "fd00:42::42",
          "fd00:c1::a9fe:a9fe",
          "fd00:a9fe:a9fe::1",
          "fd00:100::100:200"),
      range("a link-local address", "169.254.0.0/16", "fe80::/10"),
      range("an unspecified address", "0.0.0.0/8", "::"),
      range("a multicast address", "224.0.0.0/4", "ff00::/8"),
      range("the broadcast address", "255.255.255.255"));

  /** Host names of metadata services. They are refused before the lookup, because the lookup itself already reaches the cloud. */
  private static final Set<String> METADATA_NAMES = Set.of(
      "metadata",
      "metadata.google.internal",
      "metadata.goog",
      "metadata.azure.internal",
      "metadata.azure.com",
      "metadata.tencentyun.com",
      "metadata.aliyun.com",
      "metadata.oraclecloud.com",
      "metadata.packet.net",
      "metadata.platformequinix.com",
      "instance-data",
      "instance-data.ec2.internal");

  private NeverAllowed() {}

  static Optional<String> host(String host) {
    return METADATA_NAMES.contains(host) ? Optional.of("a metadata service") : Optional.empty();
  }

  static Optional<String> address(InetAddress address) {
    byte[] bytes = address.getAddress();
    for (Range range : RANGES) {
      for (Cidr cidr : range.of) {
        if (cidr.contains(bytes)) {
          return Optional.of(range.what);
        }
      }
    }
    return Optional.empty();
  }

  private static Range range(String what, String... of) {
    return new Range(
        what, Arrays.stream(of).map(text -> Cidr.parse("egress", text)).toList());
  }
}
