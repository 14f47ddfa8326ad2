package io.belfry.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineAddressesTest {
  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static List<InetAddress> addresses(String... texts) {
    return List.of(texts).stream().map(MachineAddressesTest::address).toList();
  }

  /** As kube-proxy does it with IPVS: an interface with the address of every service. */
  private static List<InetAddress> services(int count) {
    var all = new ArrayList<InetAddress>();
    for (int i = 0; i < count; i++) {
      all.add(address("10.96." + i / 250 + "." + (1 + i % 250)));
    }
    return all;
  }

  @Test
  void loopback_link_local_and_unspecified_addresses_are_of_no_use_to_others() {
    assertThat(MachineAddresses.chosen(
            Optional.empty(),
            List.of(
                addresses("127.0.0.1", "::1", "10.255.0.1"),
                addresses("192.0.2.7", "fe80::1", "169.254.3.4", "2001:db8::7"))))
        .containsExactlyInAnyOrder("10.255.0.1", "192.0.2.7", "2001:db8:0:0:0:0:0:7");
    for (String none : List.of("0.0.0.0", "::", "127.0.0.1", "fe80::1")) {
      assertThat(MachineAddresses.chosen(Optional.of(address(none)), List.of())).isEmpty();
    }
  }

  @Test
  void an_interface_with_thousands_of_addresses_does_not_displace_those_of_the_others() {
    assertThat(MachineAddresses.chosen(
            Optional.empty(),
            List.of(
                addresses("127.0.0.1"),
                addresses("192.0.2.7", "192.0.2.8", "2001:db8::7"),
                addresses("172.17.0.1"),
                services(3000))))
        .hasSize(MachineAddresses.MAX)
        .contains("192.0.2.7", "192.0.2.8", "2001:db8:0:0:0:0:0:7", "172.17.0.1");
  }

  @Test
  void public_addresses_of_an_interface_come_before_private_ones() {
    List<InetAddress> many = new ArrayList<>(services(3000));
    many.addAll(addresses("fd00::7", "2001:db8::7", "203.0.113.7"));
    assertThat(MachineAddresses.chosen(Optional.empty(), List.of(many)))
        .hasSize(MachineAddresses.MAX)
        .startsWith("203.0.113.7", "2001:db8:0:0:0:0:0:7");
  }

  @Test
  void the_address_at_which_the_api_listens_is_never_left_out() {
    List<InetAddress> many = services(3000);
    InetAddress listener = many.get(2900);
    assertThat(MachineAddresses.chosen(Optional.of(listener), List.of(many)))
        .hasSize(MachineAddresses.MAX)
        .startsWith(listener.getHostAddress());
  }

  @Test
  void the_choice_is_the_same_in_whatever_order_the_system_lists_addresses() {
    List<InetAddress> many = services(3000);
    assertThat(MachineAddresses.chosen(Optional.empty(), List.of(many.reversed())))
        .containsExactlyElementsOf(MachineAddresses.chosen(Optional.empty(), List.of(many)));
  }
}
