package io.belfry.model.task;

import static io.belfry.model.task.Tasks.CURRENT;
import static io.belfry.model.task.Tasks.NEWER;
import static io.belfry.model.task.Tasks.NOW;
import static io.belfry.model.task.Tasks.NO_RETRY;
import static io.belfry.model.task.Tasks.OLD;
import static io.belfry.model.task.Tasks.ONCE;
import static io.belfry.model.task.Tasks.TIMEOUT;
import static io.belfry.model.task.Tasks.WORK;
import static java.util.stream.Collectors.joining;

import io.belfry.model.WireName;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Renders the transition tables from the state machine itself, so that the page cannot become outdated. */
final class TransitionTable {

  /** A column: a state, and how a task gets there. */
  record Situation(String title, Function<Work, Task> reach) {}

  /** A row: a command, the work and the time. */
  record Question(String title, Command command, Work work, Instant now) {
    Question(Command command) {
      this(command.getClass().getSimpleName(), command);
    }

    Question(String title, Command command) {
      this(title, command, WORK, NOW.plus(TIMEOUT)); // late enough for every wait and every timeout
    }
  }

  static final List<Situation> OPEN = List.of(
      new Situation("pending, no attempts", Tasks::fresh),
      new Situation(
          "retrying",
          work -> Tasks.after(Tasks.running(work), new Command.Rescue(CURRENT, "gone"))),
      new Situation("assigned", Tasks::assigned),
      new Situation("running", Tasks::running),
      new Situation("assigned, cancel requested", work -> Tasks.asked(Tasks.assigned(work))),
      new Situation("running, cancel requested", work -> Tasks.asked(Tasks.running(work))));

  static final List<Situation> OVER = List.of(
      new Situation("succeeded", work -> Tasks.after(Tasks.running(work), Tasks.complete(CURRENT))),
      new Situation("failed", work -> Tasks.after(Tasks.running(NO_RETRY), Tasks.fail(CURRENT))),
      new Situation("cancelled", work -> Tasks.asked(Tasks.fresh(work))),
      new Situation(
          "skipped", work -> Tasks.after(Tasks.fresh(work), new Command.Skip(SkipReason.OVERLAP))));

  private static final Command REJECT =
      new Command.Fail(CURRENT, Optional.empty(), Failure.rejected("no such handler"));

  static final List<Question> QUESTIONS = List.of(
      new Question(new Command.Assign(NEWER, "w2")),
      new Question(
          "Assign, before it is due", new Command.Assign(NEWER, "w2"), WORK, NOW.minusMillis(1)),
      new Question("Assign, under a used token", new Command.Assign(Token.ZERO, "w2")),
      new Question(new Command.Start(CURRENT, NOW)),
      new Question(Tasks.complete(CURRENT)),
      new Question("Fail, retries left", Tasks.fail(CURRENT)),
      new Question("Fail, no retries left", Tasks.fail(CURRENT), NO_RETRY, NOW),
      new Question("Fail, rejected by the executor", REJECT),
      new Question(new Command.TimeOut(CURRENT, TIMEOUT)),
      new Question("TimeOut, too early", new Command.TimeOut(CURRENT, TIMEOUT.minusMillis(1))),
      new Question(new Command.Rescue(CURRENT, "lease expired")),
      new Question(new Command.HandBack(CURRENT, "drain")),
      new Question(new Command.Cancel("ops", "obsolete")),
      new Question(new Command.Skip(SkipReason.OVERLAP)),
      new Question(new Command.Reprioritise(Priority.HIGH)),
      new Question("any report under an old token", Tasks.complete(OLD)),
      new Question("any report under an unknown token", Tasks.complete(NEWER)));

  static final List<Question> ONCE_QUESTIONS = Stream.of(
          Tasks.fail(CURRENT),
          new Command.TimeOut(CURRENT, TIMEOUT),
          new Command.Rescue(CURRENT, "lease expired"),
          new Command.HandBack(CURRENT, "drain"))
      .map(command ->
          new Question(command.getClass().getSimpleName(), command, ONCE, NOW.plus(TIMEOUT)))
      .toList();

  private TransitionTable() {}

  static String life() {
    return head("command", Stream.concat(OPEN.stream().map(Situation::title), Stream.of("ended")))
        + QUESTIONS.stream().map(q -> row(q, OPEN, over(q))).collect(joining());
  }

  static String atMostOnce() {
    List<Situation> held = OPEN.subList(2, 4);
    return head("command", held.stream().map(Situation::title))
        + ONCE_QUESTIONS.stream().map(q -> row(q, held, "")).collect(joining());
  }

  static String head(String first, Stream<String> titles) {
    String columns = titles.collect(joining(" | "));
    return "| " + first + " | " + columns + " |\n|---|"
        + "---|".repeat(columns.split(" \\| ").length) + "\n";
  }

  private static String row(Question question, List<Situation> situations, String last) {
    return situations.stream()
            .map(situation -> cell(question, situation))
            .collect(joining(" | ", "| **" + question.title() + "** | ", " |"))
        + (last.isEmpty() ? "" : " " + last + " |")
        + "\n";
  }

  /** One column for all final states, because they all answer alike. */
  private static String over(Question question) {
    List<String> answers = OVER.stream().map(s -> cell(question, s)).distinct().toList();
    return String.join(" / ", answers);
  }

  private static String cell(Question question, Situation situation) {
    Task task = situation.reach().apply(question.work());
    return switch (Tasks.decide(task, question.command(), question.now())) {
      case Decision.Refused(Decision.Reason reason) ->
        "– " + WireName.of(reason).replace('-', ' ');
      case Decision.Accepted(List<Event> events) ->
        "**" + WireName.of(TaskLife.apply(task, events).stateName()) + "**<br>"
            + events.stream().map(e -> e.getClass().getSimpleName()).collect(joining(", "));
    };
  }
}
