package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.Destinations;
import io.belfry.executors.secret.SecretValue;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How secrets are stored, and that an attacker with write access to the store, but without a key, can do nothing with them. */
class SecretVaultTest {
  private static final byte[] OLD = key(1);
  private static final byte[] NEW = key(2);
  private static final Destinations BILLING =
      Destinations.parse("d", List.of("https://billing.example.org", "script"));

  @TempDir
  private Path own;

  private TestRecordTable open;

  @BeforeEach
  void open() throws Exception {
    open = new TestRecordTable(own, Time.system(), store -> store);
  }

  @AfterEach
  void close() {
    open.close();
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) fill);
    return key;
  }

  private SecretVault vault(byte[]... keys) {
    return new SecretVault(
        open.table, SecretKeys.of(List.of(keys)), Time.system(), new SecureRandom());
  }

  private static Optional<String> value(SecretVault vault, String name) {
    return vault.of(namespace("default")).find(name).map(SecretValue::value);
  }

  private static NamespaceRecord namespace(String name) {
    return new NamespaceRecord(name, "", Instant.EPOCH, Optional.empty(), Optional.empty());
  }

  private static Key at(String name) {
    return Key.of(Spaces.SECRETS, name);
  }

  private SealedSecret stored(String name) {
    return open.table.find(at(name), SealedSecret.class).orElseThrow();
  }

  private void store(String name, Object record) {
    assertThat(open.table.commit(Commit.when().put(at(name), RecordTable.bytes(record))))
        .isTrue();
  }

  /** A record as written by versions without key ids and destinations. */
  private void storeFirstFormat(String name, String value) throws Exception {
    byte[] nonce = new byte[12];
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(OLD, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
    byte[] text = cipher.doFinal(value.getBytes(StandardCharsets.UTF_8));
    store(
        name,
        Map.of("nonce", nonce, "text", text, "updated", "2026-01-01T00:00:00Z", "by", "admin"));
  }

  @Test
  void a_secret_comes_back_with_its_destinations() {
    SecretVault vault = vault(OLD);
    vault.put("default", "billing", "hush", BILLING, "me");
    assertThat(vault.of(namespace("default")).find("billing"))
        .contains(new SecretValue("hush", BILLING));
    assertThat(vault.of(namespace("other")).find("billing")).isEmpty();
    assertThat(vault.list("default")).singleElement().satisfies(info -> {
      assertThat(info.name()).isEqualTo("billing");
      assertThat(info.destinations()).isEqualTo(BILLING);
    });
    assertThat(new String(RecordTable.bytes(stored("default/billing")), StandardCharsets.UTF_8))
        .doesNotContain("hush");
  }

  @Test
  void one_who_can_write_to_the_store_can_neither_widen_nor_move_nor_strip_a_secret() {
    SecretVault vault = vault(OLD);
    vault.put("default", "billing", "hush", BILLING, "me");
    SealedSecret good = stored("default/billing");
    for (List<String> destinations : Arrays.asList(List.of("*"), List.of("script"), null)) {
      for (String key : Arrays.asList(good.key(), null)) {
        store(
            "default/billing",
            new SealedSecret(
                good.nonce(), good.text(), good.updated(), good.by(), key, destinations));
        assertThatExceptionOfType(InvalidException.class)
            .as(destinations + " " + key)
            .isThrownBy(() -> value(vault, "billing"))
            .withMessageNotContaining("hush");
      }
    }
    store("default/mine", good);
    assertThatExceptionOfType(InvalidException.class).isThrownBy(() -> value(vault, "mine"));
    store("default/billing", good);
    assertThat(value(vault, "billing")).contains("hush");
  }

  @Test
  void a_secret_of_an_earlier_version_is_read_and_counts_as_unrestricted() throws Exception {
    storeFirstFormat("default/legacy", "hush");
    SecretVault vault = vault(NEW, OLD);
    assertThat(value(vault, "legacy")).contains("hush");
    assertThat(vault.list("default").getFirst().destinations().isUnrestricted()).isTrue();
    assertThat(vault.withoutDestinations())
        .isEqualTo(new SecretVault.Unrestricted(1, List.of("default/legacy")));
    assertThat(vault.rotate(Optional.empty()).resealed()).isEqualTo(1);
    assertThat(value(vault(NEW), "legacy")).contains("hush");
    assertThat(vault(NEW).list("default").getFirst().destinations().isUnrestricted())
        .isTrue();
    assertThat(vault.withoutDestinations().count()).isEqualTo(1);
  }

  @Test
  void a_rotation_encrypts_all_secrets_anew_in_bounded_steps_and_can_be_repeated() {
    SecretVault before = vault(OLD);
    for (int i = 0; i < 230; i++) {
      before.put(i % 2 == 0 ? "default" : "other", "s" + i, "value " + i, BILLING, "me");
    }
    SecretVault during = vault(NEW, OLD);
    during.put("default", "fresh", "value", BILLING, "me");
    List<SecretVault.Rotation> steps = all(during);
    assertThat(steps).hasSize(3).allMatch(step -> step.resealed() + step.current() <= 100);
    assertThat(steps.stream().mapToInt(SecretVault.Rotation::resealed).sum()).isEqualTo(230);
    assertThat(steps.stream().mapToInt(SecretVault.Rotation::current).sum()).isEqualTo(1);
    assertThat(all(during)).allMatch(step -> step.resealed() == 0);
    SecretVault after = vault(NEW);
    for (int i = 0; i < 230; i += 2) {
      assertThat(after.of(namespace("default")).find("s" + i))
          .contains(new SecretValue("value " + i, BILLING));
    }
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> value(vault(OLD), "s0"))
        .withMessageContaining("key id");
  }

  private static List<SecretVault.Rotation> all(SecretVault vault) {
    var steps = new ArrayList<SecretVault.Rotation>();
    Optional<String> cursor = Optional.empty();
    do {
      steps.add(vault.rotate(cursor));
      cursor = steps.getLast().next();
    } while (cursor.isPresent());
    return steps;
  }

  @Test
  void what_no_key_decrypts_is_named_and_left_as_it_is() {
    vault(OLD).put("default", "lost", "hush", BILLING, "me");
    SecretVault.Rotation done = vault(NEW).rotate(Optional.empty());
    assertThat(done.unreadable()).containsExactly("default/lost");
    assertThat(done.resealed()).isZero();
    assertThat(value(vault(OLD), "lost")).contains("hush");
  }

  @Test
  void keys_are_told_apart_by_ids_that_do_not_show_them() {
    vault(OLD).put("default", "a", "hush", BILLING, "me");
    vault(NEW).put("default", "b", "hush", BILLING, "me");
    Set<String> ids = new HashSet<>(
        Arrays.asList(stored("default/a").key(), stored("default/b").key()));
    assertThat(ids).hasSize(2).allMatch(id -> id.matches("[0-9a-f]{16}"));
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> SecretKeys.of(List.of(OLD, OLD)))
        .withMessageContaining("each key once");
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> SecretKeys.of(List.of(new byte[16])));
    assertThatExceptionOfType(InvalidException.class).isThrownBy(() -> SecretKeys.of(List.of()));
  }

  @Test
  void refusals_are_counted_by_namespace() {
    SecretVault vault = vault(OLD);
    vault.of(namespace("default")).refused("billing", new Destination.Script());
    assertThat(vault.refused("default")).isEqualTo(1);
    assertThat(vault.refused("other")).isZero();
  }

  @Test
  void a_namespace_has_a_bounded_number_of_secrets_with_bounded_bytes() {
    SecretVault vault = vault(NEW);
    for (int at = 0; at < SecretVault.OF_NAMESPACE_MAX; at += 50) {
      Commit.Builder commit = Commit.when();
      for (int i = at; i < at + 50; i++) {
        var place = new SealedSecret.Place("many", "s" + i);
        SealedSecret sealed = SealedSecret.of(
            place,
            "x",
            Instant.EPOCH,
            "me",
            BILLING.texts(),
            SecretKeys.of(List.of(NEW)).first(),
            new SecureRandom());
        commit.put(at(place.toString()), RecordTable.bytes(sealed));
      }
      assertThat(open.table.commit(commit)).isTrue();
    }
    assertThat(vault.list("many")).hasSize(SecretVault.OF_NAMESPACE_MAX);
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> vault.put("many", "one-more", "x", BILLING, "me"));
    vault.put("many", "s7", "replaced", BILLING, "me");
    vault.put("another", "s", "x", BILLING, "me");
    String large = "x".repeat(65_536);
    assertThatExceptionOfType(InvalidException.class).isThrownBy(() -> {
      for (int i = 0; i < 200; i++) {
        vault.put("large", "s" + i, large, BILLING, "me");
      }
    });
    vault.put("large", "s0", "x", BILLING, "me");
    assertThat(vault.list("large")).hasSizeBetween(50, 150);
  }
}
