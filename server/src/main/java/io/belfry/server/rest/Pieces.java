package io.belfry.server.rest;

import io.belfry.server.rest.Shares.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;

/**
 * An answer as it is written: pieces of memory, for each of which there must be room, and which are never copied together.
 *
 * <p>Threading: confined to the request.
 */
final class Pieces extends OutputStream {
  private static final int PIECE_MIN = 1 << 10;
  private static final int PIECE_MAX = 64 << 10;
  /** Each piece is so much larger than all before it, up to the largest. */
  private static final int GROWTH = 4;

  private final LongFunction<Outcome> room;
  private final List<byte[]> pieces = new ArrayList<>();
  private long size;
  private long taken;
  private Outcome last = Outcome.TAKEN;

  /** There is no room for more. */
  private static final class NoRoomException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private NoRoomException() {
      super("no room for more of an answer", null, false, false);
    }
  }

  /**
   * Nothing yet.
   *
   * @param room asked before a piece is added, with what all take then
   */
  Pieces(LongFunction<Outcome> room) {
    this.room = room;
  }

  long size() {
    return size;
  }

  /** What all pieces take. */
  long taken() {
    return taken;
  }

  /** Writes a document; unless there was room, what was written of it must be {@linkplain #cutTo cut off}. */
  Outcome write(JsonNode node) {
    last = Outcome.TAKEN;
    try {
      Call.JSON.writeValue(this, node);
    } catch (RuntimeException e) {
      if (last == Outcome.TAKEN) { // the writer of JSON wraps whatever is thrown here
        throw e;
      }
    }
    return last;
  }

  /** Writes a little, for which there is always room. */
  void end(byte[] bytes) {
    put(bytes, 0, bytes.length, true);
  }

  @Override
  public void write(int b) {
    put(new byte[] {(byte) b}, 0, 1, false);
  }

  @Override
  public void write(byte[] from, int start, int length) {
    put(from, start, length, false);
  }

  private void put(byte[] from, int start, int length, boolean always) {
    int done = 0;
    while (done < length) {
      if (size == taken) {
        add(length - done, always);
      }
      byte[] piece = pieces.getLast();
      int at = piece.length - (int) (taken - size);
      int some = Math.min(length - done, piece.length - at);
      System.arraycopy(from, start + done, piece, at, some);
      size += some;
      done += some;
    }
  }

  private void add(int wanted, boolean always) {
    int length = Math.clamp(Math.max(wanted, GROWTH * taken), PIECE_MIN, PIECE_MAX);
    Outcome outcome = room.apply(taken + length);
    if (outcome != Outcome.TAKEN && !always) {
      last = outcome;
      throw new NoRoomException();
    }
    pieces.add(new byte[length]);
    taken += length;
  }

  /** Takes back what was written beyond so many bytes. */
  void cutTo(long bytes) {
    size = bytes;
    while (!pieces.isEmpty() && taken - pieces.getLast().length >= size) {
      taken -= pieces.removeLast().length;
    }
  }

  /** What was written, from its beginning. */
  InputStream read() {
    return new InputStream() {
      private int piece;
      private int at;
      private long left = size;

      @Override
      public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] to, int start, int length) {
        if (length == 0) {
          return 0;
        }
        if (left == 0) {
          return -1;
        }
        byte[] from = pieces.get(piece);
        int some = (int) Math.min(Math.min(length, left), from.length - at);
        System.arraycopy(from, at, to, start, some);
        at += some;
        left -= some;
        if (at == from.length) {
          at = 0;
          piece++;
        }
        return some;
      }

      // Without a copy in between.
      @Override
      public long transferTo(OutputStream out) throws IOException {
        long before = left;
        while (left > 0) {
          byte[] from = pieces.get(piece++);
          int some = (int) Math.min(left, from.length - at);
          out.write(from, at, some);
          left -= some;
          at = 0;
        }
        return before;
      }

      @Override
      public int available() {
        return (int) Math.min(left, Integer.MAX_VALUE);
      }
    };
  }
}
