package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions are limited in number and swept completely, and requests without one need no lookup. */
class SessionsTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final AtomicInteger reads = new AtomicInteger();

  @TempDir
  Path own;

  private Store counting(Store store) {
    return new DelegatingStore(store) {
      @Override
      public CompletionStage<List<Entry>> get(Collection<Key> keys) {
        reads.incrementAndGet();
        return super.get(keys);
      }
    };
  }

  private static Principal principal(TestRecordTable table) {
    return table
        .tokens
        .create("t", Role.VIEWER, Optional.empty(), Optional.empty(), "me")
        .record()
        .principal();
  }

  @Test
  void forged_cookies_and_codes_do_not_reach_the_store() throws Exception {
    try (var table = new TestRecordTable(own, time, this::counting)) {
      table.sessions.start();
      Principal who = principal(table);
      String good = table.sessions.begin(who).cookie();
      String link = table.sessions.link(who);
      reads.set(0);
      char last = good.charAt(good.length() - 1) == 'A' ? 'B' : 'A';
      List<String> forged = List.of(
          "",
          "x",
          "x".repeat(5000),
          Secret.make("", new java.security.SecureRandom()),
          who.id() + "." + "A".repeat(43) + "." + "A".repeat(43),
          good.substring(0, 20) + (good.charAt(20) == 'A' ? 'B' : 'A') + good.substring(21),
          good.substring(0, good.length() - 2) + last + last,
          link);
      for (String cookie : forged) {
        assertThat(table.sessions.verify(cookie)).as(cookie).isEmpty();
        assertThat(table.sessions.redeem(cookie.equals(link) ? good : cookie)).isEmpty();
      }
      assertThat(reads).hasValue(0);
      assertThat(table.sessions.verify(good)).isPresent();
      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void a_cookie_whose_session_has_ended_is_looked_up_once_in_a_while() throws Exception {
    try (var table = new TestRecordTable(own, time, this::counting)) {
      String cookie = table.sessions.begin(principal(table)).cookie();
      table.sessions.end(cookie);
      time.advance(Duration.ofSeconds(10));
      reads.set(0);
      for (int i = 0; i < 1000; i++) {
        assertThat(table.sessions.verify(cookie)).isEmpty();
      }
      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void one_more_than_a_token_may_have_ends_the_oldest() throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      Principal who = principal(table);
      Principal other = principal(table);
      String theirs = table.sessions.begin(other).cookie();
      List<String> cookies = new ArrayList<>();
      List<String> links = new ArrayList<>();
      for (int i = 0; i < Sessions.OF_TOKEN_MAX + 5; i++) {
        time.advance(Duration.ofSeconds(1));
        cookies.add(table.sessions.begin(who).cookie());
        links.add(table.sessions.link(who));
      }
      assertThat(cookies.stream()
              .map(table.sessions::verify)
              .map(Optional::isPresent)
              .toList())
          .containsSubsequence(false, true)
          .doesNotContainSequence(true, false)
          .filteredOn(good -> good)
          .hasSize(Sessions.OF_TOKEN_MAX);
      assertThat(links.stream()
              .filter(link -> table.sessions.peek(link).isPresent())
              .count())
          .isEqualTo(Sessions.LINKS_OF_TOKEN_MAX);
      assertThat(table.sessions.verify(theirs)).isPresent();
    }
  }

  @Test
  void a_sweep_leaves_nothing_that_is_over() throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      for (int token = 0; token < 15; token++) {
        Principal who = principal(table);
        for (int i = 0; i < Sessions.OF_TOKEN_MAX; i++) {
          var unused = table.sessions.begin(who);
        }
      }
      time.advance(Duration.ofHours(13));
      String good = table.sessions.begin(principal(table)).cookie();
      assertThat(table.sessions.sweep(time.wall())).isEqualTo(15 * Sessions.OF_TOKEN_MAX);
      assertThat(table.sessions.sweep(time.wall())).isZero();
      assertThat(table.sessions.verify(good)).isPresent();
    }
  }

  @Test
  void sessions_of_a_revoked_token_are_swept_before_they_would_be_over() throws Exception {
    try (var table = new TestRecordTable(own, time, store -> store)) {
      Principal who = principal(table);
      var unused = table.sessions.begin(who);
      table.tokens.revoke(who.id());
      time.advance(Duration.ofMinutes(11));
      assertThat(table.sessions.sweep(time.wall())).isEqualTo(1);
    }
  }
}
