package io.belfry.executors.secret;

import io.belfry.model.Check;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Redacts the secrets that one attempt has used: plain, percent-encoded, in Base64, each line of a secret with several lines, and all
 * of these with any JSON escaping, also JSON within JSON. Values shorter than {@value #SHORTEST} characters are not redacted, because
 * they would match everywhere.
 *
 * <p>Law: a text is redacted before it is shortened or changed. Half a secret, or a transformed one, would not be found.
 *
 * <p>Threading: safe; a secret is redacted from the moment it is added.
 */
public final class Redaction {
  private static final int SHORTEST = 4;
  /** Levels of JSON within JSON: each level doubles the backslashes before a quotation mark. */
  private static final int DEPTH_MAX = 8;
  /** The most characters that one character may take when it is escaped: {@code \\\u00e4}, an escape within an escape. */
  private static final int WRITTEN_MAX = 8;

  private record Hidden(String form, String instead) {}

  /** A part of a text that is replaced. */
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

  /** Redacts a complete text. */
  public String apply(String text) {
    return without(text, spans(text), text.length());
  }

  /** Redacts the beginning of a text that was cut. Drops its last characters too, because a secret may start in them. */
  public String applyToBeginning(String text) {
    List<Span> spans = spans(text);
    int end = Math.max(0, text.length() - longest);
    for (Span span : spans) {
      end = span.from < end && end < span.to ? span.to : end;
    }
    return without(text, spans, end);
  }

  /** Whether there are secrets to redact. */
  public boolean isIn(String text) {
    return !spans(text).isEmpty();
  }

  /** Redacts a complete text and then shortens it with {@link Check#clip}. */
  public String clip(String text, int max) {
    return Check.clip(apply(text), max);
  }

  /** The most characters that a secret can take in a text. A line must be read that far before it is cut. */
  public int longest() {
    return longest;
  }

  /** The matches in order, without overlaps. */
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
