package io.belfry.tests.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between the modules, and inside them. */
class LayersTest {
  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("io.belfry");

  @Test
  void there_is_something_to_look_at() {
    assertThat(CLASSES.size()).isGreaterThan(50);
    assertThat(CLASSES.contain("io.belfry.library.Belfry")).isTrue();
    assertThat(CLASSES.contain("io.belfry.executors.http.HttpExecutor")).isTrue();
    assertThat(CLASSES.contain("io.belfry.server.verb.ServerVerbs")).isTrue();
    assertThat(CLASSES.contain("io.belfry.client.BelfryClient")).isTrue();
  }

  @Test
  void the_model_knows_nothing_but_java() {
    classes()
        .that(resideInAPackage("io.belfry.model.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "io.belfry.model..", "org.jspecify.annotations.."))
        .because("the rules of a task's life must be readable and runnable without anything else")
        .check(CLASSES);
  }

  @Test
  void the_store_knows_only_the_model() {
    classes()
        .that(resideInAPackage("io.belfry.store"))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(
            "java..", "io.belfry.store", "io.belfry.model..", "org.jspecify.annotations.."))
        .because("the interface is the same whatever engine stands under it")
        .check(CLASSES);
  }

  @Test
  void the_core_knows_no_engine() {
    noClasses()
        .that(resideInAPackage("io.belfry.core.."))
        .should()
        .dependOnClassesThat(resideInAPackage("io.belfry.store.*.."))
        .because("electing, firing and rescuing are written once, above the store's interface")
        .check(CLASSES);
  }

  @Test
  void nothing_below_knows_the_library() {
    noClasses()
        .that(resideInAnyPackage("io.belfry.model..", "io.belfry.store..", "io.belfry.core.."))
        .should()
        .dependOnClassesThat(resideInAPackage("io.belfry.library.."))
        .because("the library is a door to the core, not a part of it")
        .check(CLASSES);
  }

  @Test
  void executors_know_the_core_alone() {
    noClasses()
        .that(resideInAPackage("io.belfry.executors.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.belfry.library..", "io.belfry.store..", "io.belfry.cli.."))
        .because("an executor carries out one attempt, whoever gives it and wherever that is kept")
        .check(CLASSES);
  }

  @Test
  void nothing_below_knows_the_server() {
    noClasses()
        .that(resideInAnyPackage(
            "io.belfry.model..",
            "io.belfry.store..",
            "io.belfry.core..",
            "io.belfry.executors..",
            "io.belfry.library.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage(
            "io.belfry.server..", "io.belfry.client..", "io.belfry.cli..", "io.javalin.."))
        .because("whoever embeds Belfry gets no web server with it")
        .check(CLASSES);
  }

  @Test
  void the_command_line_and_the_server_meet_over_rest_only() {
    noClasses()
        .that(resideInAnyPackage("io.belfry.client..", "io.belfry.cli.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage(
            "io.belfry.server..", "io.belfry.library..", "io.belfry.core..", "io.belfry.store.."))
        .because("what the command line can do, any program can do")
        .check(CLASSES);
    noClasses()
        .that(resideInAPackage("io.belfry.server.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.belfry.client..", "io.belfry.cli.."))
        .because("a server does not ask itself over the network")
        .check(CLASSES);
  }

  @Test
  void the_client_stands_alone() {
    classes()
        .that(resideInAPackage("io.belfry.client.."))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(
            "java..",
            "javax.net..",
            "io.belfry.client..",
            "tools.jackson..",
            "org.jspecify.annotations.."))
        .because("it goes into other people's programs")
        .check(CLASSES);
  }

  @Test
  void engines_do_not_know_each_other() {
    slices()
        .matching("io.belfry.store.(*)..")
        .should()
        .notDependOnEachOther()
        .because("each adapter is taken alone, with its own libraries")
        .check(CLASSES);
  }

  @Test
  void nothing_that_runs_knows_what_tests_it() {
    noClasses()
        .that(resideInAnyPackage(
            "io.belfry.model..",
            "io.belfry.store..",
            "io.belfry.core..",
            "io.belfry.library..",
            "io.belfry.executors..",
            "io.belfry.server..",
            "io.belfry.client..",
            "io.belfry.cli.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.belfry.testkit..", "org.junit..", "org.assertj.."))
        .because("tests depend on the product, not the other way round")
        .check(CLASSES);
  }

  @Test
  void packages_have_no_cycles() {
    slices().matching("io.belfry.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
