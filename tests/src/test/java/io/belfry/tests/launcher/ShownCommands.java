package io.belfry.tests.launcher;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** What a page of the documentation tells its reader to type: the lines of its shell blocks below one heading. */
final class ShownCommands {
  private ShownCommands() {}

  /** In their order, without comments. */
  static List<String> of(String page, String heading) {
    var commands = new ArrayList<String>();
    boolean here = false;
    boolean shell = false;
    for (String line : lines(page)) {
      if (shell && !line.equals("```")) {
        add(commands, line);
        continue;
      }
      if (line.startsWith("#")) {
        here = line.equals(heading);
      }
      shell = here && line.equals("```sh");
    }
    return List.copyOf(commands);
  }

  private static void add(List<String> commands, String line) {
    int comment = line.indexOf(" #");
    String command = comment < 0 ? line : line.substring(0, comment);
    if (!command.isBlank()) {
      commands.add(command.strip());
    }
  }

  private static List<String> lines(String page) {
    try {
      return Files.readAllLines(Root.FOLDER.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException("No page " + page + ".", e);
    }
  }
}
