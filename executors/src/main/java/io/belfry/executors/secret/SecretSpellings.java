package io.belfry.executors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** The encodings of a secret that are redacted: plain, percent-encoded and Base64, before JSON escaping. Threading: stateless. */
final class SecretSpellings {
  private static final int ALIGNMENTS = 3;
  private static final int SHORTEST_INNER = 6;
  private static final int SHORTEST_LINE = 8;

  private SecretSpellings() {}

  static Set<String> of(String value) {
    var forms = new LinkedHashSet<String>();
    forms.add(value);
    forms.add(value.strip());
    addEncoded(forms, value);
    addBase64(forms, value.getBytes(UTF_8));
    value.lines().filter(line -> line.length() >= SHORTEST_LINE).forEach(forms::add);
    return forms;
  }

  private static void addEncoded(Set<String> forms, String value) {
    String form = URLEncoder.encode(value, UTF_8);
    String percent = form.replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    forms.add(form);
    forms.add(percent);
    forms.add(lowerHex(form));
    forms.add(lowerHex(percent));
  }

  private static String lowerHex(String percent) {
    var text = new StringBuilder(percent);
    for (int i = text.indexOf("%"); i >= 0 && i + 2 < text.length(); i = text.indexOf("%", i + 1)) {
      text.replace(i, i + 3, text.substring(i, i + 3).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  /** Base64 of the secret alone, and inside a longer text, where it starts at one of three offsets within a group. */
  private static void addBase64(Set<String> forms, byte[] value) {
    forms.add(Base64.getEncoder().encodeToString(value));
    forms.add(Base64.getUrlEncoder().encodeToString(value));
    for (int before = 0; before < ALIGNMENTS; before++) {
      byte[] shifted = new byte[before + value.length];
      System.arraycopy(value, 0, shifted, before, value.length);
      for (Base64.Encoder encoder : Arrays.asList(Base64.getEncoder(), Base64.getUrlEncoder())) {
        String inner =
            inner(encoder.withoutPadding().encodeToString(shifted), before, shifted.length);
        if (inner.length() >= SHORTEST_INNER) {
          forms.add(inner);
        }
      }
    }
  }

  /** Without the characters at both ends that depend on the surrounding text. */
  private static String inner(String encoded, int before, int bytes) {
    int from = before == 0 ? 0 : before + 1;
    int to = bytes % ALIGNMENTS == 0 ? encoded.length() : encoded.length() - 1;
    return from < to ? encoded.substring(from, to) : "";
  }
}
