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
 * Several {@linkplain Chain chains} of one writer, so that a commit need not wait for the last one's answer. A second one leaves only when
 * it is full: what is little is gathered, and costs one commit.
 *
 * <p>Threading: confined to its loop.
 */
public final class Lanes {
  public static final int COUNT = 4;

  /** Those on which no commit is away; at rest always the first is used. */
  private final Deque<Chain> free = new ArrayDeque<>();
  /** Those whose commit cannot be settled for now. */
  private final Set<Chain> stalled = new HashSet<>();

  private final Loop loop;
  private final Runnable send;
  private boolean woken;

  /**
   * Lanes of which none has been opened.
   *
   * @param keys of each lane, which nobody else writes
   * @param nothing what a key says as long as nothing has been said
   * @param send called to send what there is, as long as the lanes are open
   */
  public Lanes(Loop loop, Settler settler, IntFunction<Key> keys, byte[] nothing, Runnable send) {
    this.loop = loop;
    this.send = send;
    for (int i = 0; i < COUNT; i++) {
      free.add(new Chain(settler, keys.apply(i), nothing));
    }
  }

  /** There is something to send: it is sent behind what else this turn of the loop brings, which may be more of it. */
  public void wake() {
    if (!woken) {
      woken = true;
      loop.post(() -> {
        woken = false;
        send.run();
      });
    }
  }

  /** Whether nothing is away, and nothing is about to be sent. */
  public boolean isAtRest() {
    return isIdle() && !woken;
  }

  /** Whether nothing is away. */
  public boolean isIdle() {
    return free.size() == COUNT;
  }

  /**
   * Whether a commit may leave.
   *
   * @param waiting what there is for it
   * @param full what fills it
   */
  public boolean isOpen(int waiting, int full) {
    boolean nothingIsAnsweredSoon = free.size() + stalled.size() == COUNT;
    return !free.isEmpty() && waiting >= (nothingIsAnsweredSoon ? 1 : full);
  }

  /** A lane to send one commit on; it is given back with the answer. */
  public Chain take() {
    return free.pop();
  }

  /** The commit on this lane cannot be settled for now: nothing is gathered until it is, as if the lane did not exist. */
  public void stall(Chain lane) {
    stalled.add(lane);
  }

  /** Whether there is no lane that anything could leave on, and no telling when there is. */
  public boolean isStalled() {
    return stalled.size() == COUNT;
  }

  public void giveBack(Chain lane) {
    stalled.remove(lane);
    free.push(lane);
  }

  /** Keys of lanes that were opened and on which nothing is away: whoever sends nothing more may delete them. */
  public List<Key> leftOver() {
    return free.stream().flatMap(chain -> chain.opened().stream()).toList();
  }
}
