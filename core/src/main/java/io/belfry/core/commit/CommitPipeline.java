package io.belfry.core.commit;

import io.belfry.core.loop.Loop;
import io.belfry.store.Key;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Several {@linkplain CommitChain chains} of one writer, so that a commit need not wait for the previous one's answer. While one commit is in
 * flight, a second one is sent only when it is full: small writes are gathered into one commit.
 *
 * <p>Threading: confined to its loop.
 */
public final class CommitPipeline {
  public static final int COUNT = 4;

  /** Chains without a commit in flight; an idle writer always uses the first. */
  private final Deque<CommitChain> free = new ArrayDeque<>();
  /** Chains whose commit cannot be settled for now. */
  private final Set<CommitChain> stalled = new HashSet<>();

  private final Loop loop;
  private final Runnable send;
  private boolean woken;

  /**
   * Chains of which none has been opened.
   *
   * @param keys the key of each chain, which only this writer writes
   * @param nothing a key's value until the first link
   * @param send called to send what is waiting, as long as a chain is free
   */
  public CommitPipeline(
      Loop loop, RetryingCommitter settler, IntFunction<Key> keys, byte[] nothing, Runnable send) {
    this.loop = loop;
    this.send = send;
    for (int i = 0; i < COUNT; i++) {
      free.add(new CommitChain(settler, keys.apply(i), nothing));
    }
  }

  /** There is something to send. It is sent after the other steps that this turn of the loop has queued, because they may add more. */
  public void wake() {
    if (!woken) {
      woken = true;
      loop.post(() -> {
        woken = false;
        send.run();
      });
    }
  }

  /** Whether no commit is in flight and none is about to be sent. */
  public boolean isAtRest() {
    return isIdle() && !woken;
  }

  /** Whether no commit is in flight. */
  public boolean isIdle() {
    return free.size() == COUNT;
  }

  /**
   * Whether a commit may be sent now.
   *
   * @param waiting how much waits to be sent
   * @param full how much fills a commit
   */
  public boolean isOpen(int waiting, int full) {
    boolean nothingIsAnsweredSoon = free.size() + stalled.size() == COUNT;
    return !free.isEmpty() && waiting >= (nothingIsAnsweredSoon ? 1 : full);
  }

  /** A chain for one commit; the caller gives it back when the answer arrives. */
  public CommitChain take() {
    return free.pop();
  }

  /** The commit on this chain cannot be settled for now. Until it is, other chains send without gathering, as if this one did not exist. */
  public void stall(CommitChain lane) {
    stalled.add(lane);
  }

  /** Whether every chain is stalled, so that nothing can be sent. */
  public boolean isStalled() {
    return stalled.size() == COUNT;
  }

  public void giveBack(CommitChain lane) {
    stalled.remove(lane);
    free.push(lane);
  }

  /** The keys of opened chains without a commit in flight: a writer that sends nothing more may delete them. */
  public List<Key> leftOver() {
    return free.stream().flatMap(chain -> chain.opened().stream()).toList();
  }
}
