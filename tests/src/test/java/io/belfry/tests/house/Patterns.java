package io.belfry.tests.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every regular expression of the product, found in its sources, and texts that would make a careless one run for hours or overflow the
 * stack.
 */
final class Patterns {
  private static final String LITERAL = "\"(?:[^\"\\\\\\n]|\\\\.)*+\"";
  private static final Pattern USE = Pattern.compile(
      "(Pattern\\.compile|\\.matches|\\.replaceAll|\\.replaceFirst|\\.split)\\(\\s*+(" + LITERAL
          + "(?:\\s*+\\+\\s*+" + LITERAL + ")*+)");
  /** Looks for a pattern inside a text, in whatever way. */
  private static final Pattern SEARCH = Pattern.compile(
      "\\.(?:find|results|lookingAt|splitAsStream|asPredicate|usePattern)\\(|[A-Z_]\\.split\\(|\\)\\s*+\\.replace(?:All|First)\\(");

  /** The only names that may stand where an expression of a text is taken: they would not be tried. */
  private static final Pattern NAMED = Pattern.compile(
      "\\.(?:replaceAll|replaceFirst|split|matches)\\(\\s*+[A-Z][A-Z_0-9]+\\s*+[,)]");

  private static final Pattern ONE = Pattern.compile(LITERAL);
  private static final Pattern COMPILE = Pattern.compile("Pattern\\.compile\\(");
  private static final String USUAL = "a0:.-/ =[";
  private static final int LETTERS_MAX = 14;
  private static final int LONG = 100_000;
  private static final int MIDDLE = 20_000;

  /** How often each character may be looked at: 100,000 characters cost some milliseconds then. */
  private static final int LOOKS_PER_CHARACTER = 100;

  private Patterns() {}

  /**
   * An expression and where it stands.
   *
   * @param searched whether it is also looked for inside a text, and not only compared with the whole
   */
  record Expression(String place, String text, boolean searched) {
    @Override
    public String toString() {
      return place + " " + text;
    }
  }

  static List<Expression> all(Path root) throws IOException {
    var found = new ArrayList<Expression>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path sources = module.resolve("src/main/java");
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
              found.addAll(in(root.relativize(file).toString(), Files.readString(file)));
            }
          }
        }
      }
    }
    return found;
  }

  static List<Expression> in(String place, String source) {
    var found = new ArrayList<Expression>();
    boolean finds = SEARCH.matcher(source).find();
    int compiled = 0;
    for (Matcher use = USE.matcher(source); use.find(); ) {
      var text = new StringBuilder();
      ONE.matcher(use.group(2))
          .results()
          .forEach(each ->
              text.append(each.group().substring(1, each.group().length() - 1).translateEscapes()));
      boolean compile = use.group(1).startsWith("Pattern");
      compiled += compile ? 1 : 0;
      boolean whole = use.group(1).equals(".matches") || (compile && !finds);
      found.add(new Expression(place, text.toString(), !whole));
    }
    if (compiled != COMPILE.matcher(source).results().count()) {
      throw new IllegalStateException(
          place + " makes a pattern from something else than literals, so it cannot be tried.");
    }
    if (NAMED.matcher(source).find()) {
      throw new IllegalStateException(
          place
              + " gives an expression by the name of a constant, so it cannot be tried. Compile it as a Pattern.");
    }
    return found;
  }

  /** What happened to the expression when it met its worst text; nothing if it was always done soon. */
  static Optional<String> complaint(Expression expression) {
    Pattern pattern = Pattern.compile(expression.text());
    return texts(expression.text())
        .map(text -> tried(pattern, expression.searched(), text))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> tried(Pattern pattern, boolean searched, String text) {
    String shown = text.substring(0, 12) + "… (" + text.length() + ")";
    try {
      var unused = pattern.matcher(new Counted(text)).matches();
      if (searched) {
        Matcher search = pattern.matcher(new Counted(text));
        for (int i = 0; i < text.length() && search.find(); i++) {}
      }
      return Optional.empty();
    } catch (TooManyLooks e) {
      return Optional.of("takes too long for " + shown);
    } catch (StackOverflowError e) {
      return Optional.of("overflows the stack for " + shown);
    }
  }

  /** Repetitions of all letters that the expression itself speaks of, one by one and in pairs, and a last one that never fits. */
  private static Stream<String> texts(String expression) {
    List<String> letters = (expression + USUAL)
        .chars()
        .filter(letter -> letter != '\\')
        .distinct()
        .mapToObj(Character::toString)
        .toList();
    Stream<String> single = letters.stream().map(letter -> letter.repeat(LONG));
    List<String> paired = letters.stream().limit(LETTERS_MAX).toList();
    Stream<String> pairs = paired.stream()
        .flatMap(first -> paired.stream()
            .filter(Predicate.not(first::equals))
            .map(second -> (first + second).repeat(MIDDLE / 2)));
    Stream<String> words = Pattern.compile("[A-Za-z0-9]{2,}")
        .matcher(expression)
        .results()
        .map(word -> word.group().repeat(MIDDLE / word.group().length()));
    return Stream.of(single, pairs, words)
        .flatMap(each -> each)
        .flatMap(text -> Stream.of(text, text + '\u0001'));
  }

  private static final class TooManyLooks extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyLooks() {
      super("too many looks", null, false, false);
    }
  }

  /** A text that counts how often it is looked at. Threading: one thread. */
  private static final class Counted implements CharSequence {
    private final String text;
    private int left;

    Counted(String text) {
      this.text = text;
      this.left = text.length() * LOOKS_PER_CHARACTER;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (--left < 0) {
        throw new TooManyLooks();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
