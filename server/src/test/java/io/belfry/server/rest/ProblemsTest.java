package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** What is thrown becomes an answer, and nobody fills the log by throwing. */
class ProblemsTest {
  private final Logger log = (Logger) LoggerFactory.getLogger(Problems.class);
  private final ListAppender<ILoggingEvent> heard = new ListAppender<>();
  private final Problems problems = new Problems();

  @BeforeEach
  void listen() {
    heard.start();
    log.addAppender(heard);
  }

  @AfterEach
  void leave() {
    log.detachAppender(heard);
  }

  private List<ILoggingEvent> errors() {
    return heard.list.stream().filter(each -> each.getLevel() == Level.ERROR).toList();
  }

  private static RuntimeException oneBug() {
    return new IllegalStateException("a bug");
  }

  private static RuntimeException anotherBug() {
    return new IllegalStateException("a bug");
  }

  @Test
  void the_same_fault_is_logged_once_a_minute_with_its_stack_and_keeps_its_number() {
    Problem first = problems.of(oneBug());
    for (int i = 0; i < 1000; i++) {
      assertThat(problems.of(oneBug()).getMessage()).isEqualTo(first.getMessage());
    }
    assertThat(errors()).hasSize(1);
    assertThat(errors().getFirst().getThrowableProxy()).isNotNull();
    assertThat(errors().getFirst().getFormattedMessage()).contains("problem 1");
    assertThat(first.getMessage()).contains("problem 1");
    assertThat(first.code()).isEqualTo(Problem.Code.BROKEN);
  }

  @Test
  void faults_are_told_apart_by_where_they_were_thrown_and_by_class() {
    assertThat(problems.of(oneBug()).getMessage()).contains("problem 1");
    assertThat(problems.of(anotherBug()).getMessage()).contains("problem 2");
    assertThat(problems.of(new StackOverflowError()).getMessage()).contains("problem 3");
    assertThat(errors()).hasSize(3);
  }

  /** A field that was read as something that it is not. */
  @Test
  void a_value_that_cannot_be_converted_is_the_callers_mistake() {
    RuntimeException thrown = org.assertj.core.api.Assertions.catchRuntimeException(
        () -> JsonMapper.shared().readTree("{\"a\": {}}").get("a").asString());
    Problem problem = problems.of(thrown);
    assertThat(problem.code()).isEqualTo(Problem.Code.INVALID);
    assertThat(problem.getMessage()).doesNotContain("JsonNode");
    assertThat(errors()).isEmpty();
  }
}
