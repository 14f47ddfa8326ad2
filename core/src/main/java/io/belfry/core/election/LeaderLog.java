package io.belfry.core.election;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Term;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs on every node who leads, in which term, and for how long there was no leader. Nothing is decided by it.
 *
 * <p>Threading: confined to its loop.
 */
final class LeaderLog {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLog.class);
  /** The leader key is taken before the term is raised. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final int TRIES = 10;

  private final Loop loop;
  private final Store state;
  private final String node;
  private Optional<String> leader = Optional.empty();
  private Optional<Long> goneNanos = Optional.empty();
  private int asked;

  LeaderLog(Loop loop, Store state, String node) {
    this.loop = loop;
    this.state = state;
    this.node = node;
  }

  /** The leader key is gone. */
  void gone() {
    asked++;
    if (goneNanos.isEmpty()) {
      goneNanos = Optional.of(loop.time().nanos());
      LOG.info(
          "Node {} sees no leader: {} resigned, or its lease has ended. A new leader is elected.",
          node,
          leader.map(each -> "node " + each).orElse("the leader"));
    }
    leader = Optional.empty();
  }

  /** Another node holds the leader key. */
  void taken(String by) {
    if (!by.equals(node) && leader.filter(by::equals).isEmpty()) {
      leader = Optional.of(by);
      ask(by, ++asked, TRIES);
    }
  }

  /** This node leads. */
  void won(Term term) {
    asked++;
    leader = Optional.of(node);
    log(term);
  }

  private void ask(String by, int now, int tries) {
    loop.onResult(
        state.get(List.of(Keys.FENCE)),
        found -> {
          Optional<Term> term = found.stream()
              .findFirst()
              .flatMap(entry -> SafeDecoder.read(entry, each -> Records.term(each.value())))
              .filter(each -> each.leader().equals(by));
          if (now == asked) {
            term.ifPresentOrElse(this::log, () -> askLater(by, now, tries));
          }
        },
        failure -> askLater(by, now, tries));
  }

  private void askLater(String by, int now, int tries) {
    if (now == asked && tries > 0) {
      var unused = loop.after(PAUSE, () -> {
        if (now == asked) {
          ask(by, now, tries - 1);
        }
      });
    }
  }

  private void log(Term term) {
    LOG.info(
        "Node {} leads in term {}{} (said by node {}).",
        term.leader(),
        term.number(),
        goneNanos
            .map(at -> ", after " + Duration.ofMillis((loop.time().nanos() - at) / 1_000_000)
                + " without a leader")
            .orElse(""),
        node);
    goneNanos = Optional.empty();
  }
}
