/**
 * Takes terminal codes out of text that arrives in pieces. A code may be cut in two by the pieces: what may still become
 * one is held back until the rest is there.
 */
export class AnsiFilter {
  private rest = '';

  push(piece: string): string {
    const text = this.rest + piece;
    const cut = unfinished(text);
    this.rest = text.slice(cut);
    return clean(text.slice(0, cut));
  }

  /** What was held back, when nothing more will come. */
  end(): string {
    const last = clean(this.rest);
    this.rest = '';
    return last;
  }
}

// CSI … final byte; OSC … BEL or ST (titles, links); other two-character escapes.
const CODES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]/g;
// Everything else that a terminal obeys and a page should not, but for tab and line feed.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const HELD_MOST = 1_024;

function clean(text: string): string {
  return text.replace(CODES, '').replace(/\r+\n?/g, '\n').replace(CONTROLS, '');
}

/** A code that has begun and may go on: also an OSC whose end, ESC and backslash, is cut in two. */
const BEGUN = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[ -/]*)$/;

function unfinished(text: string): number {
  const start = text.search(BEGUN);
  if (start >= 0 && text.length - start < HELD_MOST) {
    return start;
  }
  return text.endsWith('\r') ? text.length - 1 : text.length;
}
