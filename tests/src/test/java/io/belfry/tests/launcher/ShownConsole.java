package io.belfry.tests.launcher;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A conversation that a page shows: what is typed after {@code $}, and what is answered. In an answer, {@code …} stands for anything
 * within a line; a line that is nothing but that stands for any number of lines.
 *
 * @param answer the lines below the command
 */
record ShownConsole(String command, List<String> answer) {
  private static final String ANYTHING = "…";

  /** Those of the page's console blocks below one heading, in their order. */
  static List<ShownConsole> of(String page, String heading) {
    var shown = new ArrayList<ShownConsole>();
    boolean here = false;
    boolean console = false;
    for (String line : lines(page)) {
      if (console && !line.equals("```")) {
        if (line.startsWith("$ ")) {
          shown.add(new ShownConsole(line.substring(2), new ArrayList<>()));
        } else {
          shown.getLast().answer.add(line);
        }
        continue;
      }
      if (!console && line.startsWith("#")) {
        here = line.equals(heading);
      }
      console = here && line.equals("```console");
    }
    return shown;
  }

  /** The same with one text in place of another, in both. */
  ShownConsole with(String text, String instead) {
    return new ShownConsole(
        command.replace(text, instead),
        answer.stream().map(line -> line.replace(text, instead)).toList());
  }

  /** What the whole answer must look like. */
  Pattern expected() {
    var regex = new StringBuilder();
    for (String line : answer) {
      if (line.equals(ANYTHING)) {
        regex.append("(?:.*\\n)*");
      } else {
        for (String part : line.splitWithDelimiters(ANYTHING, 0)) {
          regex.append(part.equals(ANYTHING) ? ".*" : Pattern.quote(part));
        }
        regex.append("\\n");
      }
    }
    return Pattern.compile(regex.toString());
  }

  private static List<String> lines(String page) {
    try {
      return Files.readAllLines(Root.FOLDER.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException("No page " + page + ".", e);
    }
  }
}
