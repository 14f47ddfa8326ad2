package io.belfry.cli.show;

import java.util.ArrayList;
import java.util.List;

/** One object, printed with one property per line. Threading: confined to its verb. */
public final class Card {
  private record Line(String name, Cell value) {}

  private final List<Line> lines = new ArrayList<>();

  /** Adds a property; an empty value adds nothing. */
  public Card add(String name, String value) {
    return add(name, Cell.of(value));
  }

  public Card add(String name, Cell value) {
    if (!value.text().isEmpty()) {
      lines.add(new Line(name, value));
    }
    return this;
  }

  public List<String> lines(int width, AnsiColors colors, String mark) {
    int names = lines.stream().mapToInt(line -> Width.of(line.name())).max().orElse(0);
    return lines.stream()
        .map(line -> {
          String text = width > 0
              ? Width.cut(line.value().text(), Math.max(1, width - names - 2), mark)
              : line.value().text();
          return colors.text(TextStyle.FAINT, Width.pad(line.name(), names)) + "  "
              + colors.text(line.value().style(), text);
        })
        .toList();
  }
}
