package io.belfry.dist.supply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares versions by the rules of Maven ({@code 1.0-rc1 < 1.0 = 1.0.0.Final < 1.0-sp1 < 1.0.1}) or npm ({@code
 * 1.0.0-rc.1 < 1.0.0 = 1.0.0+build}).
 *
 * <p>Threading: stateless.
 */
final class Versions {
  private static final Pattern PART = Pattern.compile("([.\\-_]?)(\\d+|[a-z]+)");
  /** Rank of a qualifier: a release is 0, pre-releases are negative. */
  private static final Map<String, Integer> QUALIFIERS = Map.ofEntries(
      Map.entry("alpha", -5),
      Map.entry("a", -5),
      Map.entry("beta", -4),
      Map.entry("b", -4),
      Map.entry("milestone", -3),
      Map.entry("m", -3),
      Map.entry("rc", -2),
      Map.entry("cr", -2),
      Map.entry("snapshot", -1),
      Map.entry("ga", 0),
      Map.entry("final", 0),
      Map.entry("release", 0),
      Map.entry("sp", 1));

  private static final int OTHER_WORD = 2;
  private static final int NUMBER = 3;

  private Versions() {}

  static Comparator<String> of(String ecosystem) {
    return ecosystem.equals("npm") ? Versions::npm : Versions::maven;
  }

  /** A part of a Maven version: a word with its rank, or a number above all words. */
  private record Part(int rank, long number, String word) implements Comparable<Part> {
    static final Part NONE = new Part(0, 0, "");

    static Part of(String text) {
      if (Character.isDigit(text.charAt(0))) {
        long number = Long.parseLong(text.substring(Math.max(0, text.length() - 18)));
        return number == 0 ? NONE : new Part(NUMBER, number, "");
      }
      int rank = QUALIFIERS.getOrDefault(text, OTHER_WORD);
      return new Part(rank, 0, rank == OTHER_WORD ? text : "");
    }

    @Override
    public int compareTo(Part other) {
      return Comparator.comparingInt(Part::rank)
          .thenComparingLong(Part::number)
          .thenComparing(Part::word)
          .compare(this, other);
    }
  }

  static int maven(String one, String other) {
    return compare(parts(one), parts(other), Part.NONE);
  }

  private static List<Part> parts(String version) {
    var parts = new ArrayList<Part>();
    Matcher found = PART.matcher(version.toLowerCase(Locale.ROOT));
    while (found.find()) {
      parts.add(Part.of(found.group(2)));
    }
    return parts;
  }

  private static <T extends Comparable<T>> int compare(List<T> one, List<T> other, T none) {
    for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
      T left = i < one.size() ? one.get(i) : none;
      T right = i < other.size() ? other.get(i) : none;
      int order = left.compareTo(right);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  static int npm(String one, String other) {
    String left = one.replaceFirst("\\+.*", "");
    String right = other.replaceFirst("\\+.*", "");
    int order = compare(numbers(core(left)), numbers(core(right)), 0L);
    return order != 0 ? order : preRelease(rest(left), rest(right));
  }

  private static String core(String version) {
    return version.replaceFirst("-.*", "");
  }

  private static String rest(String version) {
    int dash = version.indexOf('-');
    return dash < 0 ? "" : version.substring(dash + 1);
  }

  private static List<Long> numbers(String core) {
    var numbers = new ArrayList<Long>();
    for (String number : core.split("\\.", -1)) {
      numbers.add(number.matches("\\d{1,18}") ? Long.parseLong(number) : 0);
    }
    return numbers;
  }

  /** Compares pre-release parts: a release comes last; numbers come before words, and fewer parts before more. */
  private static int preRelease(String one, String other) {
    if (one.isEmpty() || other.isEmpty()) {
      return Boolean.compare(one.isEmpty(), other.isEmpty());
    }
    String[] left = one.split("\\.", -1);
    String[] right = other.split("\\.", -1);
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      boolean isNumber = left[i].matches("\\d{1,18}");
      boolean areNumbers = isNumber && right[i].matches("\\d{1,18}");
      int order = areNumbers
          ? Long.compare(Long.parseLong(left[i]), Long.parseLong(right[i]))
          : isNumber == right[i].matches("\\d{1,18}")
              ? left[i].compareTo(right[i])
              : Boolean.compare(right[i].matches("\\d{1,18}"), isNumber);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.length, right.length);
  }
}
