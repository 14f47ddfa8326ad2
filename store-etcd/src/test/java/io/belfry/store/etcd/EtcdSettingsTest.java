package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.etcd.EtcdSettings.Room;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.store.etcd.EtcdSettings.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSettingsTest {
  private static final EtcdSettings SETTINGS = EtcdSettings.of("etcd://h:1", "default");

  @TempDir
  private Path files;

  @Test
  void a_namespace_is_a_prefix_of_its_own() {
    assertThat(SETTINGS.prefix()).isEqualTo("/belfry/default/");
    assertThat(SETTINGS.prefix("/team/belfry/").prefix()).isEqualTo("/team/belfry/");
  }

  @Test
  void a_password_is_never_printed() {
    assertThat(SETTINGS.user("joe", "s3cret").toString()).contains("joe").doesNotContain("s3cret");
  }

  @Test
  void a_bad_namespace_or_prefix_is_refused() {
    assertThatThrownBy(() -> EtcdSettings.of("etcd://h:1", "a/b")).hasMessageContaining("'a/b'");
    assertThatThrownBy(() -> SETTINGS.prefix("/no/slash")).hasMessageContaining("end with '/'");
    assertThatThrownBy(() -> SETTINGS.prefix("/" + "x".repeat(200) + "/"))
        .hasMessageContaining("2 to 128 bytes");
  }

  @Test
  void timeouts_must_fit_into_each_other() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Timeouts(Duration.ofSeconds(2), second, second, second))
        .hasMessageContaining("etcd.connect-timeout must not be longer");
    assertThatThrownBy(() -> new Timeouts(second, second, second, Duration.ofSeconds(2)))
        .hasMessageContaining("etcd.probe-timeout must not be longer");
    assertThatThrownBy(() -> new Timeouts(second, second, Duration.ZERO, second))
        .hasMessageContaining("etcd.probe-every must be between");
    assertThatThrownBy(() -> SETTINGS.room(new Room(true, Duration.ofSeconds(5), 1L << 30)))
        .hasMessageContaining("etcd.keep must be at least twice");
  }

  @Test
  void a_quota_or_a_number_of_batches_out_of_bounds_is_refused() {
    assertThatThrownBy(() -> Room.SHARED.quotaBytes(1)).hasMessageContaining("etcd.quota-bytes");
    assertThatThrownBy(() -> SETTINGS.batchesAway(0)).hasMessageContaining("etcd.batches-away");
    assertThatThrownBy(() -> SETTINGS.batchesAway(65)).hasMessageContaining("etcd.batches-away");
  }

  @Test
  void a_user_needs_a_password_and_a_certificate_its_key() throws Exception {
    assertThatThrownBy(() -> SETTINGS.user("joe", "")).hasMessageContaining("etcd.password");
    assertThatThrownBy(() -> SETTINGS.user("", "x")).hasMessageContaining("etcd.user");
    Path file = Files.writeString(files.resolve("cert.pem"), "x");
    assertThatThrownBy(() -> new TlsFiles(Optional.empty(), Optional.of(file), Optional.empty()))
        .hasMessageContaining("only etcd.cert was given");
  }

  @Test
  void files_must_be_readable_and_are_not_for_plain_connections() throws Exception {
    assertThatThrownBy(() -> new TlsFiles(
            Optional.of(files.resolve("missing.pem")), Optional.empty(), Optional.empty()))
        .hasMessageContaining("etcd.ca must be a PEM file");
    Path file = Files.writeString(files.resolve("ca.pem"), "x");
    assertThatThrownBy(() ->
            SETTINGS.tlsFiles(new TlsFiles(Optional.of(file), Optional.empty(), Optional.empty())))
        .hasMessageContaining("Write etcds://");
  }
}
