package io.belfry.executors.secret;

import io.belfry.model.Check;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Takes the secrets that one attempt has looked up out of what it says: as they are, percent-encoded, in Base64, the lines of those that
 * have several, and all of these in any spelling that JSON allows, also JSON within JSON. What is shorter than {@value #SHORTEST} characters
 * is no secret, and would be found everywhere.
 *
 * <p>Law: a text is cut or changed only after secrets were taken out of it. Half a secret is not found, and neither is one in other letters.
 *
 * <p>Threading: safe; what was added before is taken out from then on.
 */
public final class Redaction {
  private static final int SHORTEST = 4;
  /** JSON within JSON: the backslashes of a quotation mark double with each level. */
  private static final int DEPTH_MAX = 8;
  /** What one character may take where it is written: {@code \\\u00e4}, an escape within an escape. */
  private static final int WRITTEN_MAX = 8;

  private record Hidden(String form, String instead) {}

  /** A part of a text that is taken out. */
  private record Span(int from, int to, String instead) {
    int length() {
      return to - from;
    }

    Span with(Span other) {
      return new Span(
          Math.min(from, other.from),
          Math.max(to, other.to),
          length() >= other.length() ? instead : other.instead);
    }
  }

  private volatile List<Hidden> hidden = List.of();
  private volatile int longest;

  public synchronized void add(String name, String value) {
    String instead = "(secret " + name + ")";
    if (value.length() < SHORTEST || hidden.stream().anyMatch(h -> h.form.equals(value))) {
      return;
    }
    var all = new ArrayList<>(hidden);
    for (String form : SecretSpellings.of(value)) {
      if (form.length() >= SHORTEST) {
        all.add(new Hidden(form, instead));
      }
    }
    longest = Math.max(longest, value.length() * WRITTEN_MAX);
    hidden = List.copyOf(all);
  }

  /** A whole text. */
  public String apply(String text) {
    return without(text, spans(text), text.length());
  }

  /** The beginning of a text, cut anywhere: its last characters are left out as well, because a secret may begin in them. */
  public String applyToBeginning(String text) {
    List<Span> spans = spans(text);
    int end = Math.max(0, text.length() - longest);
    for (Span span : spans) {
      end = span.from < end && end < span.to ? span.to : end;
    }
    return without(text, spans, end);
  }

  /** Whether there is something to be taken out. */
  public boolean isIn(String text) {
    return !spans(text).isEmpty();
  }

  /** A whole text, and then what {@link Check#clip} leaves of it. */
  public String clip(String text, int max) {
    return Check.clip(apply(text), max);
  }

  /** Characters that a secret takes at most where it is written: a line must be read so far before it is cut. */
  public int longest() {
    return longest;
  }

  /** In order, without overlaps. */
  private List<Span> spans(String text) {
    List<Hidden> all = hidden;
    if (all.isEmpty()) {
      return List.of();
    }
    var found = new ArrayList<Span>();
    Optional<UnescapedText> read = Optional.of(UnescapedText.none(text));
    for (int depth = 0; depth <= DEPTH_MAX && read.isPresent(); depth++) {
      for (Hidden one : all) {
        find(one, read.get(), found);
      }
      read = read.get().again();
    }
    found.sort(Comparator.comparingInt(Span::from));
    var merged = new ArrayList<Span>();
    for (Span span : found) {
      if (!merged.isEmpty() && span.from < merged.getLast().to) {
        merged.add(merged.removeLast().with(span));
      } else {
        merged.add(span);
      }
    }
    return merged;
  }

  private static void find(Hidden one, UnescapedText read, List<Span> found) {
    String text = read.text();
    int length = one.form.length();
    for (int i = text.indexOf(one.form); i >= 0; i = text.indexOf(one.form, i + length)) {
      found.add(new Span(read.written(i), read.written(i + length), one.instead));
    }
  }

  private static String without(String text, List<Span> spans, int end) {
    if (spans.isEmpty()) {
      return text.substring(0, end);
    }
    var shown = new StringBuilder(text.length());
    int at = 0;
    for (Span span : spans) {
      if (span.from < end) {
        shown.append(text, at, span.from).append(span.instead);
        at = span.to;
      }
    }
    return shown.append(text, at, end).toString();
  }
}
