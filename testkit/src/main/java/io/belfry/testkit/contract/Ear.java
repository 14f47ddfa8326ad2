package io.belfry.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A watcher that a test can wait on. Threading: safe. */
public final class Ear implements Watcher {

  /** What a watcher is told. */
  public sealed interface Word {
    record Opened(long revision) implements Word {}

    record Changed(long revision, List<Change> changes) implements Word {}

    record Compacted() implements Word {}
  }

  private final BlockingQueue<Word> words = new LinkedBlockingQueue<>();
  private final Time time = Time.system();
  private volatile Set<Class<? extends Word>> throwing = Set.of();

  /** From now on it remembers these words, and throws. */
  public void throwAt(Set<Class<? extends Word>> kinds) {
    throwing = kinds;
  }

  @Override
  public void opened(long revision) {
    hear(new Word.Opened(revision));
  }

  @Override
  public void changed(long revision, List<Change> changes) {
    hear(new Word.Changed(revision, List.copyOf(changes)));
  }

  @Override
  public void compacted() {
    hear(new Word.Compacted());
  }

  private void hear(Word word) {
    words.add(word);
    if (throwing.contains(word.getClass())) {
      throw new IllegalStateException("a watcher that throws on purpose");
    }
  }

  /** The next word, which must be of this kind. */
  public <W extends Word> W next(Class<W> kind) {
    Word word = next();
    assertThat(word).isInstanceOf(kind);
    return kind.cast(word);
  }

  public long opened() {
    return next(Word.Opened.class).revision();
  }

  public Word.Changed changed() {
    return next(Word.Changed.class);
  }

  /** Everything up to and including the first change that satisfies {@code last}. */
  public List<Word.Changed> changesUntil(Predicate<Change> last) {
    var heard = new ArrayList<Word.Changed>();
    while (heard.isEmpty() || heard.getLast().changes().stream().noneMatch(last)) {
      heard.add(changed());
    }
    return heard;
  }

  /** Waits for the word compacted, whatever changes come before it. */
  public void awaitCompacted() {
    Word word = next();
    while (!(word instanceof Word.Compacted)) {
      word = next();
    }
  }

  /** Whether nothing more is said for a while. */
  public boolean silentFor(Duration pause) {
    long end = time.nanos() + pause.toNanos();
    try {
      return words.poll(Math.max(0, end - time.nanos()), TimeUnit.NANOSECONDS) == null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while listening", e);
    }
  }

  private Word next() {
    try {
      Word word = words.poll(Subject.PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (word == null) {
        throw new AssertionError(
            "the watch said nothing within " + Subject.PATIENCE_SECONDS + " s");
      }
      return word;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while listening", e);
    }
  }
}
