package io.belfry.model.task;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.WireName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransitionDocTest {
  private static final Path DOC = Path.of("../docs/task-states.md");

  @Test
  void the_document_shows_what_the_code_does() throws IOException {
    if (System.getProperty("belfry.docs", "").equals("write")) {
      Files.createDirectories(DOC.getParent());
      Files.writeString(DOC, TransitionDoc.markdown());
    }
    assertThat(Files.readString(DOC))
        .as("print it again: " + TransitionDoc.WRITE)
        .isEqualTo(TransitionDoc.markdown());
  }

  @Test
  void the_table_asks_every_command() {
    assertThat(
            TransitionTable.QUESTIONS.stream().map(q -> q.command().getClass()).collect(toSet()))
        .isEqualTo(leaves(Command.class).collect(toSet()));
  }

  @Test
  void the_table_asks_in_every_state() {
    Set<?> asked = Stream.concat(TransitionTable.OPEN.stream(), TransitionTable.OVER.stream())
        .map(situation -> situation.reach().apply(Tasks.WORK).state().getClass())
        .collect(toSet());
    assertThat(asked).isEqualTo(leaves(TaskState.class).collect(toSet()));
  }

  @Test
  void every_event_and_every_refusal_appears() {
    String table = TransitionTable.life();
    assertThat(leaves(Event.class).map(Class::getSimpleName)).allMatch(table::contains);
    assertThat(Decision.Reason.values())
        .allMatch(r -> table.contains(WireName.of(r).replace('-', ' ')));
  }

  @Test
  void whatever_is_over_answers_the_same() {
    assertThat(TransitionTable.life()).doesNotContain(" / ");
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(TransitionDocTest::leaves)
        : Stream.of(type);
  }
}
