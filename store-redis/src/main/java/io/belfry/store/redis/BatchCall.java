package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Write;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Many commits in one call of {@code commit.lua}, which says how they are laid out. Threading: immutable. */
record BatchCall(List<Commit> batch) implements ScriptCall<List<Outcome>> {
  private static final int ABSENT = 0;
  private static final int UNCHANGED = 1;
  private static final int HOLDS = 2;
  private static final int PUT = 0;
  private static final int PUT_LEASED = 1;
  private static final int DELETE = 2;
  /** Beside the number of guards. */
  private static final int PASSES_WHEN_FULL = 128;

  @Override
  public Scripts verb() {
    return Scripts.COMMIT;
  }

  @Override
  public void arguments(List<byte[]> into) {
    var spaces = new ArrayList<Space>();
    int spacesAt = into.size();
    into.add(new byte[0]);
    into.add(("" + batch.size()).getBytes(US_ASCII));
    for (Commit commit : batch) {
      add(commit, spaces, into);
    }
    into.set(spacesAt, describe(spaces));
  }

  private static boolean passesWhenFull(Commit commit) {
    if (commit.evenIfFull()) {
      return true;
    }
    for (Write write : commit.writes()) {
      if (!(write instanceof Write.Delete)) {
        return false;
      }
    }
    return true;
  }

  private static byte[] describe(List<Space> spaces) {
    var text = new StringBuilder();
    for (Space space : spaces) {
      text.append(kind(space))
          .append(space.ordered() ? '1' : '0')
          .append(space.name())
          .append(' ');
    }
    return text.toString().getBytes(US_ASCII);
  }

  private static char kind(Space space) {
    return switch (space.watched()) {
      case NO -> 'N';
      case TOGETHER -> 'T';
      case BY_KEY -> 'K';
    };
  }

  private static void add(Commit commit, List<Space> spaces, List<byte[]> into) {
    List<Guard> guards = commit.guards();
    List<Write> writes = fusedFirst(commit);
    byte[] descriptor = new byte[4 + 2 * guards.size() + 3 * writes.size()];
    int at = 4;
    into.add(descriptor);
    int before = into.size();
    for (Guard guard : guards) {
      descriptor[at++] = (byte) add(guard, into);
      descriptor[at++] = (byte) indexOf(guard.key().space(), spaces);
    }
    for (Write write : writes) {
      int guard = guardOf(write.key(), guards);
      descriptor[at++] = (byte) add(write, guard, into);
      descriptor[at++] = (byte) indexOf(write.key().space(), spaces);
      descriptor[at++] = (byte) guard;
    }
    int arguments = into.size() - before;
    descriptor[0] = (byte) (guards.size() | (passesWhenFull(commit) ? PASSES_WHEN_FULL : 0));
    descriptor[1] = (byte) writes.size();
    descriptor[2] = (byte) (arguments >> 8);
    descriptor[3] = (byte) arguments;
  }

  /** A put whose key is guarded as absent goes first: its guard and its write are then one command. */
  private static List<Write> fusedFirst(Commit commit) {
    List<Write> writes = commit.writes();
    for (int i = 0; i < writes.size(); i++) {
      int guard = guardOf(writes.get(i).key(), commit.guards());
      if (writes.get(i) instanceof Write.Put
          && guard > 0
          && commit.guards().get(guard - 1) instanceof Guard.Absent) {
        if (i == 0) {
          return writes;
        }
        var ordered = new ArrayList<>(writes);
        Collections.swap(ordered, 0, i);
        return ordered;
      }
    }
    return writes;
  }

  private static int add(Guard guard, List<byte[]> into) {
    into.add(guard.key().name());
    return switch (guard) {
      case Guard.Absent absent -> ABSENT;
      case Guard.Unchanged unchanged -> {
        into.add(Bytes.ofLong(unchanged.revision()));
        yield UNCHANGED;
      }
      case Guard.Holds holds -> {
        into.add(Bytes.ofLong(holds.revision()));
        yield HOLDS;
      }
    };
  }

  private static int add(Write write, int guard, List<byte[]> into) {
    Key key = write.key();
    if (guard == 0) {
      into.add(key.name());
    }
    if (key.space().watched() != Space.Watched.NO) {
      into.add(head(write));
    }
    return switch (write) {
      case Write.Delete delete -> DELETE;
      case Write.Put put
      when put.lease() == Lease.NONE -> {
        into.add(put.value());
        yield PUT;
      }
      case Write.Put put -> {
        into.add(Bytes.ofLong(put.lease()));
        into.add(put.value());
        yield PUT_LEASED;
      }
    };
  }

  /** What stands before a change in its feed: the name, and how long the rest will be. */
  private static byte[] head(Write write) {
    byte[] name = write.key().name();
    int length = write instanceof Write.Put put ? Bytes.HEAD + put.value().length : Bytes.REVISION;
    return ByteBuffer.allocate(2 + name.length + 4)
        .putShort((short) name.length)
        .put(name)
        .putInt(length)
        .array();
  }

  /** From 1; 0 when none guards the key. */
  private static int guardOf(Key key, List<Guard> guards) {
    for (int i = 0; i < guards.size(); i++) {
      if (guards.get(i).key().equals(key)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** From 1. */
  private static int indexOf(Space space, List<Space> spaces) {
    int at = spaces.indexOf(space);
    if (at < 0) {
      spaces.add(space);
      at = spaces.size() - 1;
    }
    if (at > 254) {
      throw new IllegalArgumentException(
          "A batch must not touch more than 255 spaces, but does. Use few spaces with many keys.");
    }
    return at + 1;
  }

  /** @throws Committer.PartlyDone when Redis was full, and did not do those that put something */
  @Override
  public List<Outcome> read(List<?> reply) {
    var outcomes = new ArrayList<Outcome>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      byte[] said = (byte[]) reply.get(i + 1);
      if (isFull(said)) {
        throw partlyDone(reply);
      }
      outcomes.add(outcome(batch.get(i), said));
    }
    return outcomes;
  }

  private static boolean isFull(byte[] said) {
    return said.length == 1 && said[0] == 'F';
  }

  private Committer.PartlyDone partlyDone(List<?> reply) {
    var outcomes = new ArrayList<Optional<Outcome>>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      byte[] said = (byte[]) reply.get(i + 1);
      outcomes.add(isFull(said) ? Optional.empty() : Optional.of(outcome(batch.get(i), said)));
    }
    return new Committer.PartlyDone(outcomes, Refusal.full("OOM", "OOM", null));
  }

  private static Outcome outcome(Commit commit, byte[] said) {
    if (said.length == Bytes.REVISION) {
      return new Outcome.Done(Bytes.toLong(said, 0));
    }
    return switch (said[0]) {
      case 'R' -> new Outcome.Refused(commit.guards().get(said[1]), Bytes.toLong(said, 2));
      case 'L' -> new Outcome.LeaseEnded(Bytes.toLong(said, 1));
      default ->
        throw new IllegalArgumentException("An outcome begins with R or L, not " + said[0]);
    };
  }
}
