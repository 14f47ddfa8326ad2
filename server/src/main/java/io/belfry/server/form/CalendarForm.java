package io.belfry.server.form;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Calendar.Effect;
import io.belfry.core.calendar.Days;
import io.belfry.core.calendar.Holidays;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts calendars to JSON and back. Threading: stateless. */
public final class CalendarForm {
  private static final String YEARLY = "--";

  private CalendarForm() {}

  /** Reads a calendar from a document, with the name from the URL. */
  public static Calendar read(JsonNode document, String name) {
    Fields fields = Fields.of(document);
    Optional<String> own = fields.text("name");
    if (own.isPresent() && !own.get().equals(name)) {
      throw Check.refusal(
          "name",
          own.get(),
          "must be the name in the URL (" + name + "), or be left out",
          "Correct one of the two.");
    }
    var rules = new ArrayList<Calendar.Rule>();
    List<JsonNode> given = fields.items("rules").orElse(List.of());
    for (int i = 0; i < given.size(); i++) {
      rules.addAll(rules(Fields.at("rules[" + i + "]", given.get(i))));
    }
    var calendar = new Calendar(
        name,
        fields.zone("zone").orElse(ZoneOffset.UTC),
        fields.word("otherwise", Effect.class).orElse(Effect.INCLUDE),
        rules,
        fields.text("base"));
    fields.end();
    return calendar;
  }

  private static List<Calendar.Rule> rules(Fields fields) {
    Optional<List<Days>> included = fields.object("include", CalendarForm::days);
    Optional<List<Days>> excluded = fields.object("exclude", CalendarForm::days);
    fields.end();
    Check.that(
        included.isPresent() != excluded.isPresent(),
        fields.name("include"),
        new Check.Plain(included.isPresent() ? "given beside exclude" : "nothing"),
        "or exclude must be given, and only one of them, because a rule either includes or excludes days",
        "Write one rule for each.");
    Effect effect = included.isPresent() ? Effect.INCLUDE : Effect.EXCLUDE;
    return included.or(() -> excluded).orElseThrow().stream()
        .map(days -> new Calendar.Rule(effect, days))
        .toList();
  }

  private static List<Days> days(Fields fields) {
    var found = new ArrayList<Days>();
    fields.words("weekdays", DayOfWeek.class).ifPresent(days -> found.add(new Days.Weekly(days)));
    fields
        .texts("dates")
        .ifPresent(texts ->
            found.add(new Days.Dates(all(texts, text -> date(fields.name("dates"), text)))));
    fields
        .texts("yearly")
        .ifPresent(texts ->
            found.add(new Days.Yearly(all(texts, text -> yearly(fields.name("yearly"), text)))));
    Optional<LocalDate> from = fields.text("from").map(text -> date(fields.name("from"), text));
    Optional<LocalDate> to = fields.text("to").map(text -> date(fields.name("to"), text));
    if (from.isPresent() || to.isPresent()) {
      found.add(new Days.Range(
          from.orElseThrow(() -> fields.missing("from", "a range has two ends")),
          to.orElseThrow(() -> fields.missing("to", "a range has two ends"))));
    }
    Optional<String> file = fields.text("holidays");
    file.ifPresent(text ->
        found.addAll(Holidays.read(text.getBytes(StandardCharsets.UTF_8)).days()));
    Check.that(
        found.size() == 1 || (file.isPresent() && !found.isEmpty()),
        fields.name("dates"),
        new Check.Plain(found.size() + " of them"),
        "or one of weekdays, yearly, from with to, and holidays must be given, because a rule has one set of days",
        "Write one rule for each.");
    return found;
  }

  private static <T> Set<T> all(List<String> texts, Function<String, T> read) {
    var all = new HashSet<T>();
    texts.forEach(text -> all.add(read.apply(text)));
    return all;
  }

  private static LocalDate date(String name, String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw Check.refusal(name, text, "must be a day", "Write it like 2027-12-25.");
    }
  }

  private static MonthDay yearly(String name, String text) {
    try {
      return MonthDay.parse(text.startsWith(YEARLY) ? text : YEARLY + text);
    } catch (DateTimeException e) {
      throw Check.refusal(name, text, "must be a month and a day", "Write it like 12-25.");
    }
  }

  public static ObjectNode write(Calendar calendar) {
    ObjectNode node = JsonNodeFactory.instance
        .objectNode()
        .put("name", calendar.name())
        .put("zone", Fields.zone(calendar.zone()))
        .put("otherwise", WireName.of(calendar.otherwise()));
    calendar.base().ifPresent(base -> node.put("base", base));
    ArrayNode rules = node.putArray("rules");
    calendar
        .rules()
        .forEach(rule -> rules.addObject().set(WireName.of(rule.effect()), days(rule.days())));
    return node;
  }

  private static ObjectNode days(Days days) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    switch (days) {
      case Days.Weekly(var weekdays) -> {
        ArrayNode list = node.putArray("weekdays");
        Arrays.stream(DayOfWeek.values())
            .filter(weekdays::contains)
            .forEach(day -> list.add(WireName.of(day)));
      }
      case Days.Dates(var dates) -> {
        ArrayNode list = node.putArray("dates");
        dates.stream().sorted().forEach(date -> list.add(date.toString()));
      }
      case Days.Range(LocalDate from, LocalDate to) ->
        node.put("from", from.toString()).put("to", to.toString());
      case Days.Yearly(var dates) -> {
        ArrayNode list = node.putArray("yearly");
        dates.stream()
            .sorted()
            .forEach(date -> list.add(date.toString().substring(YEARLY.length())));
      }
    }
    return node;
  }
}
