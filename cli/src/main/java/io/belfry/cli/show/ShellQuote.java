package io.belfry.cli.show;

import java.util.regex.Pattern;

/**
 * Quotes a value for a shell command that the user may copy. Ids and cursors come from the server: without quotes the shell would run
 * {@code $(…)}, and expand the {@code !} in the id of a triggered task from its history.
 *
 * <p>Threading: stateless.
 */
public final class ShellQuote {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellQuote() {}

  /** The value as it is if a shell treats it as plain text, otherwise in single quotes. */
  public static String of(String value) {
    String plain = Width.plain(value);
    return PLAIN.matcher(plain).matches() ? plain : "'" + plain.replace("'", "'\\''") + "'";
  }
}
