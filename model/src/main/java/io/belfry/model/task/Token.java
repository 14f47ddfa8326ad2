package io.belfry.model.task;

import io.belfry.model.Check;

/**
 * The fence of an attempt: the revision of the commit that assigned it, so that it grows with each
 * assignment in a namespace and needs no counter of its own. Travels to the user's code, so that the
 * target system can refuse an older one too.
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

  /** Newer than this one; stands in until the store has said which revision it is, see {@link Task#stamped}. */
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
