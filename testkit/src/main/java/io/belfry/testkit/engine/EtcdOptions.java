package io.belfry.testkit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Options of an etcd server in a test.
 *
 * @param quotaBytes small enough for a test to fill it, or large
 * @param fsync whether every write is synced; off only if no test checks what survives a crash
 * @param tls certificates; clients need one as well
 * @param flags other options, as on the command line
 */
public record EtcdOptions(
    long quotaBytes, boolean fsync, Optional<EtcdCertificates> tls, List<String> flags) {

  public static final EtcdOptions DEFAULT =
      new EtcdOptions(1L << 30, true, Optional.empty(), List.of());

  public EtcdOptions {
    flags = List.copyOf(flags);
  }

  public EtcdOptions quotaBytes(long value) {
    return new EtcdOptions(value, fsync, tls, flags);
  }

  public EtcdOptions withoutFsync() {
    return new EtcdOptions(quotaBytes, false, tls, flags);
  }

  public EtcdOptions tls(EtcdCertificates certificates) {
    return new EtcdOptions(quotaBytes, fsync, Optional.of(certificates), flags);
  }

  public EtcdOptions flag(String name, String value) {
    var more = new ArrayList<>(flags);
    more.add("--" + name);
    more.add(value);
    return new EtcdOptions(quotaBytes, fsync, tls, more);
  }

  String scheme() {
    return tls.isPresent() ? "https" : "http";
  }
}
