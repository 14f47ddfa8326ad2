package io.belfry.library;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Finds the name of this machine or pod, with characters that are valid in a key. Threading: stateless. */
final class HostName {
  private static final String NAMELESS = "node";

  private HostName() {}

  static String find() {
    String given = System.getenv("HOSTNAME");
    String name = given == null || given.isBlank() ? ask() : given;
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "-");
    return plain.isBlank() ? NAMELESS : plain;
  }

  private static String ask() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return NAMELESS; // the incarnation still distinguishes nodes
    }
  }
}
