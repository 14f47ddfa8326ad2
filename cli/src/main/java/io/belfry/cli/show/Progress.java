package io.belfry.cli.show;

import java.io.PrintWriter;

/**
 * A progress bar on one line of the terminal; prints nothing if there is no terminal.
 *
 * <p>Threading: confined to its verb.
 */
public final class Progress implements AutoCloseable {
  private static final int CELLS = 30;

  private final PrintWriter out;
  private final boolean shown;
  private final Screen screen;
  private final String what;
  private final int all;
  private int done;

  public Progress(PrintWriter out, boolean shown, Screen screen, String what, int all) {
    this.out = out;
    this.shown = shown;
    this.screen = screen;
    this.what = what;
    this.all = Math.max(1, all);
    draw();
  }

  public void advance(int by) {
    done += by;
    draw();
  }

  private void draw() {
    if (!shown) {
      return;
    }
    int full = (int) ((long) CELLS * done / all);
    String bar = (screen.unicode() ? "█" : "#").repeat(full)
        + (screen.unicode() ? "░" : ".").repeat(CELLS - full);
    out.print("\r" + what + " " + bar + " " + done + "/" + all);
    out.flush();
  }

  /** Erases the bar. */
  @Override
  public void close() {
    if (shown) {
      out.print("\r\u001B[K");
      out.flush();
    }
  }
}
