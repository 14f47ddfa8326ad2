package io.belfry.executors.secret;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Takes the secrets that one attempt has looked up out of what it says: as they are, percent-encoded, in Base64, in JSON, and the
 * lines of those that have several. What is shorter than {@value #SHORTEST} characters is no secret, and would be found everywhere.
 *
 * <p>Threading: safe; what was added before is taken out from then on.
 */
public final class Redaction {
  private static final int SHORTEST = 4;

  private record Hidden(String form, String instead) {}

  private volatile List<Hidden> hidden = List.of();

  public synchronized void add(String name, String value) {
    String instead = "(secret " + name + ")";
    if (value.length() < SHORTEST || hidden.stream().anyMatch(h -> h.form.equals(value))) {
      return;
    }
    var all = new ArrayList<>(hidden);
    for (String form : Forms.of(value)) {
      if (form.length() >= SHORTEST) {
        all.add(new Hidden(form, instead));
      }
    }
    all.sort(Comparator.comparingInt((Hidden h) -> h.form.length()).reversed());
    hidden = List.copyOf(all);
  }

  public String apply(String text) {
    String shown = text;
    for (Hidden one : hidden) {
      if (shown.contains(one.form)) {
        shown = shown.replace(one.form, one.instead);
      }
    }
    return shown;
  }

  public boolean isIn(String text) {
    return hidden.stream().anyMatch(one -> text.contains(one.form));
  }

  /** Characters of the longest spelling: who cuts text must not cut through one. */
  public int longest() {
    List<Hidden> all = hidden;
    return all.isEmpty() ? 0 : all.getFirst().form.length();
  }
}
