package io.belfry.model.cron;

/**
 * A cron expression is invalid or can never fire. The message names the problem, its position and the remedy;
 * the parts are available separately for display.
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

  /** The whole expression; truncated if it is too long. */
  public String expression() {
    return expression;
  }

  /** The column of the error, counted from 0; the length of the expression if something is missing at its end. */
  public int position() {
    return position;
  }

  /** The wrong part of the expression; empty if something is missing. */
  public String offending() {
    return offending;
  }

  /** What is wrong and what was given, without the position. */
  public String problem() {
    return problem;
  }

  /** How to correct it. */
  public String remedy() {
    return remedy;
  }

  /** Two lines for a terminal: the expression, and a marker under the error. */
  public String pointer() {
    String shown = expression.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    return shown + "\n" + " ".repeat(position) + "^".repeat(Math.max(1, offending.length()));
  }
}
