package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Feed;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.store.etcd.EtcdSettings.TlsFiles;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdCertificates;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both sides show who they are, or nothing comes about. */
@Timeout(120)
class EtcdTlsTest {
  private static final Space SPACE = Space.plain("s").watchedTogether();

  private static final Timeouts QUICK = new Timeouts(
      Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofSeconds(1));

  @TempDir
  private static Path files;

  private static EtcdCertificates ours;
  private static EtcdCertificates others;
  private static EtcdServer etcd;

  @BeforeAll
  static void startEtcd() throws Exception {
    ours = EtcdCertificates.make(Files.createDirectory(files.resolve("ours")));
    others = EtcdCertificates.make(Files.createDirectory(files.resolve("others")));
    etcd = EtcdServer.start(EtcdOptions.DEFAULT.tls(ours));
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  private static EtcdSettings settings() {
    return EtcdSettings.of(etcd.uri(), "ns").timeouts(QUICK);
  }

  private static EtcdSettings settings(EtcdCertificates authority, EtcdCertificates client) {
    return settings()
        .tlsFiles(new TlsFiles(
            Optional.of(authority.authority()),
            Optional.of(client.clientCertificate()),
            Optional.of(client.clientKey())));
  }

  @Test
  void with_the_right_certificates_everything_works() {
    try (Store store = EtcdStore.connect(settings(ours, ours))) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        long revision = put(store, key(SPACE, "a"), "1");
        assertThat(ear.changed().revision()).isEqualTo(revision);
        assertThat(read(store, key(SPACE, "a"))).contains("1");
      }
    }
  }

  @Test
  void a_member_that_our_authority_does_not_know_is_denied() {
    assertThatThrownBy(() -> EtcdStore.connect(settings(others, ours)))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("etcd.ca");
  }

  @Test
  void a_client_certificate_that_etcd_does_not_know_or_none_fails_in_time() {
    assertThatThrownBy(() -> EtcdStore.connect(settings(ours, others)))
        .isInstanceOfAny(StoreException.Denied.class, StoreException.Unavailable.class);
    EtcdSettings none = settings()
        .tlsFiles(new TlsFiles(Optional.of(ours.authority()), Optional.empty(), Optional.empty()));
    assertThatThrownBy(() -> EtcdStore.connect(none))
        .isInstanceOfAny(StoreException.Denied.class, StoreException.Unavailable.class);
  }

  @Test
  void a_plain_connection_to_a_tls_port_fails_in_time() {
    EtcdSettings plain =
        EtcdSettings.of(etcd.uri().replace("etcds", "etcd"), "ns").timeouts(QUICK);
    assertThatThrownBy(() -> EtcdStore.connect(plain))
        .isInstanceOf(StoreException.Unavailable.class);
  }

  @Test
  void a_file_that_is_no_certificate_is_named_before_anything_is_sent() throws Exception {
    Path junk = Files.writeString(files.resolve("junk.pem"), "not a certificate");
    EtcdSettings settings =
        settings().tlsFiles(new TlsFiles(Optional.of(junk), Optional.empty(), Optional.empty()));
    assertThatThrownBy(() -> EtcdStore.connect(settings))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("PEM");
  }
}
