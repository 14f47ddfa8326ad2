package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/library.md documents every setting, and docs/workers.md only existing ones. */
class SettingsDocTest {
  private static Set<String> settings() {
    return Stream.of(Settings.class.getMethods())
        .filter(method -> method.getReturnType() == Settings.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() > 0)
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void every_setting_is_named() throws IOException {
    String page = Files.readString(Path.of("../docs/library.md"));
    assertThat(settings()).hasSizeGreaterThan(30);
    assertThat(settings())
        .allSatisfy(
            name -> assertThat(Pattern.compile("`" + name + "\\b").matcher(page).find())
                .as(name)
                .isTrue());
  }

  @Test
  void every_setting_of_workers_exists() throws IOException {
    Set<String> named = Pattern.compile("(?m)^\\| (`\\w+`(?:, `\\w+`)*) \\| ")
        .matcher(Files.readString(Path.of("../docs/workers.md")))
        .results()
        .flatMap(row -> Pattern.compile("\\w+").matcher(row.group(1)).results())
        .map(word -> word.group())
        .filter(word -> word.startsWith("worker"))
        .collect(Collectors.toSet());
    assertThat(named).isNotEmpty();
    assertThat(settings()).containsAll(named);
  }
}
