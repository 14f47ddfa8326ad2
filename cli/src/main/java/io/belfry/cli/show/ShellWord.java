package io.belfry.cli.show;

import java.util.regex.Pattern;

/**
 * A value in a command that is shown to be copied into a shell. Ids and cursors come from the server; without quotes, {@code $(…)} in one would run,
 * and the {@code !} in the id of a triggered task would be looked up in the shell's history.
 *
 * <p>Threading: stateless.
 */
public final class ShellWord {
  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /** As it is where no shell sees more in it than text, otherwise between single quotes. */
  public static String of(String value) {
    String plain = Width.plain(value);
    return HARMLESS.matcher(plain).matches() ? plain : "'" + plain.replace("'", "'\\''") + "'";
  }
}
