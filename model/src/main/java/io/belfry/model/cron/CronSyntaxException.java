package io.belfry.model.cron;

/**
 * An expression that cannot be understood, or can never fire. The message says what was wrong, what
 * was given, where, and what to do; the parts are there for whoever wants to show them in place.
 */
public final class CronSyntaxException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String expression;
  private final int position;
  private final String offending;
  private final String problem;
  private final String remedy;

  CronSyntaxException(
      String expression, int position, String offending, String problem, String remedy) {
    super("%s, at column %d of \"%s\". %s".formatted(problem, position, expression, remedy));
    this.expression = expression;
    this.position = position;
    this.offending = offending;
    this.problem = problem;
    this.remedy = remedy;
  }

  /** The whole expression; cut if it was too long. */
  public String expression() {
    return expression;
  }

  /** The column of the mistake, counted from 0; the length of the expression if something is missing at its end. */
  public int position() {
    return position;
  }

  /** The part of the expression that is wrong; empty if something is missing. */
  public String offending() {
    return offending;
  }

  /** What was wrong and what was given, without the place. */
  public String problem() {
    return problem;
  }

  /** What to do about it. */
  public String remedy() {
    return remedy;
  }

  /** The expression with the mistake underlined, on two lines, for a terminal. */
  public String pointer() {
    String shown = expression.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    return shown + "\n" + " ".repeat(position) + "^".repeat(Math.max(1, offending.length()));
  }
}
