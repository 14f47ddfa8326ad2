package io.belfry.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.belfry.testkit.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What classes of the core need, and what the pictures of its packages show. */
class ShapeTest {
  private static final int PARAMETERS_MAX = 8;
  private static final Pattern PICTURE = Pattern.compile("<pre>(.*?)</pre>", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("(?<![\\w.])[A-Z]\\w+");
  /** Capitalized words in pictures that are no classes: week days of an example. */
  private static final Set<String> WORDS = Set.of("MON", "FRI");

  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("io.belfry.core", "io.belfry.model");

  /** Records are lists of named fields; enums and inner classes have parameters that nobody writes. */
  @Test
  void no_constructor_of_the_core_has_many_parameters() {
    List<String> many = CLASSES.stream()
        .filter(each -> each.getPackageName().startsWith("io.belfry.core"))
        .filter(each -> !each.isRecord() && !each.isEnum() && !each.isAnonymousClass())
        .flatMap(each -> each.getConstructors().stream())
        .filter(each -> written(each) > PARAMETERS_MAX)
        .map(each -> each.getFullName() + ": group what belongs together into a record")
        .toList();
    assertThat(many).isEmpty();
  }

  private static int written(JavaConstructor constructor) {
    JavaClass owner = constructor.getOwner();
    boolean hasOuter = owner.isInnerClass();
    return constructor.getRawParameterTypes().size() - (hasOuter ? 1 : 0);
  }

  @Test
  void pictures_of_packages_name_classes_that_exist() throws IOException {
    Set<String> classes =
        CLASSES.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
    var wrong = new ArrayList<String>();
    for (Path file : packageInfos()) {
      for (String name : namesInPictures(Files.readString(file))) {
        if (!classes.contains(name) && !WORDS.contains(name)) {
          wrong.add(
              Root.FOLDER.relativize(file) + ": " + name + " is no class of the core or the model");
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void a_name_in_a_picture_is_found() {
    assertThat(namesInPictures("<pre>\n Dispatcher ──▶ worker\n</pre> Not here."))
        .containsExactly("Dispatcher");
  }

  private static Set<String> namesInPictures(String text) {
    var names = new TreeSet<String>();
    Matcher picture = PICTURE.matcher(text);
    while (picture.find()) {
      Matcher name = NAME.matcher(picture.group(1));
      while (name.find()) {
        names.add(name.group());
      }
    }
    return names;
  }

  private static List<Path> packageInfos() throws IOException {
    try (Stream<Path> files = Files.walk(Root.FOLDER.resolve("core/src/main/java"))) {
      return files.filter(file -> file.endsWith("package-info.java")).sorted().toList();
    }
  }
}
