package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/cli.md leaves no verb out. What it shows is compared with what a real server answers by the module {@code tests}. */
class DocsTest {
  private static final Path PAGE = Path.of("..", "docs", "cli.md");

  @Test
  void the_page_names_every_verb() throws IOException {
    String page = Files.readString(PAGE);
    var help = Terminal.nowhere();
    for (String group :
        List.of("job", "task", "workers", "cluster", "calendar", "namespace", "token", "secret")) {
      String usage = help.run("help", group).out();
      String verbs = usage.substring(usage.indexOf("Commands:"));
      Matcher verb = Pattern.compile("(?m)^  ([a-z-]+)  ").matcher(verbs);
      while (verb.find()) {
        assertThat(page).contains("belfry " + group + " " + verb.group(1));
      }
    }
  }
}
