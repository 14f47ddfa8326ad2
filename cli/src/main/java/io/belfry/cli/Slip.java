package io.belfry.cli;

/** Whether one word is another, mistyped: a letter too many, too few, wrong, or two changed round. Threading: stateless. */
final class Slip {
  private Slip() {}

  static boolean isBetween(String given, String meant) {
    int from = 0;
    int shorter = Math.min(given.length(), meant.length());
    while (from < shorter && given.charAt(from) == meant.charAt(from)) {
      from++;
    }
    String left = given.substring(from);
    String right = meant.substring(from);
    return switch (given.length() - meant.length()) {
      case 1 -> left.substring(1).equals(right);
      case -1 -> right.substring(1).equals(left);
      case 0 -> isSwapped(left, right);
      default -> false;
    };
  }

  private static boolean isSwapped(String left, String right) {
    if (left.isEmpty() || left.substring(1).equals(right.substring(1))) {
      return true;
    }
    return left.length() > 1
        && left.charAt(0) == right.charAt(1)
        && left.charAt(1) == right.charAt(0)
        && left.substring(2).equals(right.substring(2));
  }
}
