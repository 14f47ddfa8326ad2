package io.belfry.model.task;

import io.belfry.model.Check;

/**
 * The fencing token of an attempt: the revision of the commit that assigned it. It grows with each assignment
 * in a namespace and needs no counter of its own. It is passed to the user's code, so that the target system
 * can refuse older tokens as well.
 */
public record Token(long value) implements Comparable<Token> {

  /** Before the first assignment; older than every real token. */
  public static final Token ZERO = new Token(0);

  public Token {
    Check.that(
        value >= 0,
        "token",
        value,
        "must not be negative, because revisions are not",
        "Pass it on as received.");
  }

  public boolean isNewerThan(Token other) {
    return value > other.value;
  }

  /** A placeholder that is newer than this token, until the revision of the commit is known, see {@link Task#stamped}. */
  public Token next() {
    return new Token(value + 1);
  }

  @Override
  public int compareTo(Token other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
