package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.FaultyStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token is refused here when, and only when, the store has said that it is revoked. */
class TokensTest {
  @TempDir
  private Path own;

  private static Tokens.Made make(OpenDesk desk) {
    return desk.tokens.create("ci", Role.VIEWER, Optional.of("default"), Optional.empty(), "me");
  }

  @Test
  void a_revoked_token_is_refused_at_once() throws Exception {
    try (var desk = new OpenDesk(own, Time.system(), store -> store)) {
      Tokens.Made made = make(desk);
      assertThat(desk.tokens.verify(made.token())).isPresent();
      assertThat(desk.tokens.revoke(made.record().id())).isTrue();
      assertThat(desk.tokens.verify(made.token())).isEmpty();
      assertThat(desk.tokens.revoke(made.record().id())).isFalse();
    }
  }

  @Test
  void a_token_whose_revocation_the_store_refused_goes_on() throws Exception {
    var deaf = new boolean[1];
    try (var desk = new OpenDesk(own, Time.system(), store -> refusing(store, deaf))) {
      Tokens.Made made = make(desk);
      deaf[0] = true;
      assertThatThrownBy(() -> desk.tokens.revoke(made.record().id()))
          .isInstanceOf(StoreException.Unavailable.class);
      assertThat(desk.tokens.verify(made.token())).isPresent();
      assertThat(desk.tokens.isGood(made.record().id())).isTrue();
      deaf[0] = false;
      assertThat(desk.tokens.revoke(made.record().id())).isTrue();
      assertThat(desk.tokens.verify(made.token())).isEmpty();
    }
  }

  private static Store refusing(Store store, boolean[] deaf) {
    return new DelegatingStore(store) {
      @Override
      public CompletionStage<Outcome> commit(Commit commit) {
        return deaf[0]
            ? CompletableFuture.failedStage(new StoreException.Unavailable("Away.", null))
            : super.commit(commit);
      }
    };
  }

  @Test
  void whoever_revokes_hears_that_the_outcome_is_not_known() throws Exception {
    var faulty = new FaultyStore[1];
    try (var desk = new OpenDesk(own, Time.system(), store -> faulty[0] = new FaultyStore(store))) {
      Tokens.Made made = make(desk);
      faulty[0].loseNextRequest();
      assertThatThrownBy(() -> desk.tokens.revoke(made.record().id()))
          .isInstanceOf(StoreException.Unknown.class)
          .hasMessageContaining("not known whether token " + made.record().id() + " is revoked")
          .hasMessageContaining("revoke it again");
      assertThat(desk.tokens.verify(made.token())).isPresent();
      assertThat(desk.tokens.revoke(made.record().id())).isTrue();
      assertThat(desk.tokens.verify(made.token())).isEmpty();
    }
  }
}
