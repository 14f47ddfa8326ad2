package io.belfry.server.rest;

import io.belfry.executors.json.Json;
import io.belfry.model.Check;
import io.belfry.server.access.Principal;
import io.belfry.server.access.Role;
import io.belfry.server.connection.Exchange;
import io.belfry.server.connection.SlowBodyException;
import io.belfry.server.form.Fields;
import io.belfry.server.rest.Problem.Code;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** One request, as handlers see it: everything taken from it is checked on the way. Threading: confined to the request. */
final class Call {
  private static final int DEPTH_MAX = 64;
  private static final int NUMBER_CHARS_MAX = 100;
  private static final int LIMIT_USUAL = 50;
  private static final int LIMIT_MAX = 1000;
  private static final int QUERY_CHARS_MAX = 2000;
  private static final int PART_BYTES = 8192;

  static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder()
              .maxNestingDepth(DEPTH_MAX)
              .maxNumberLength(NUMBER_CHARS_MAX)
              .build())
          .build())
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      // Payloads belong to their users: 1e999 and 1.50 are kept for what they are.
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private final Context context;
  private Optional<Principal> principal = Optional.empty();
  private Optional<String> scope = Optional.empty();
  private Optional<String> about = Optional.empty();
  private final List<Audited> audited = new ArrayList<>();
  private final BodyMemory memory;
  private final AnswerMemory answers;
  private long bodyMax;
  private final String from;
  private String payer = "";
  private AnswerReservation holding;
  private long held;
  private Runnable stillAllowed = () -> {};

  Call(Context context, BodyMemory memory, AnswerMemory answers, long bodyMax, String from) {
    this.context = context;
    this.memory = memory;
    this.answers = answers;
    this.holding = new AnswerReservation(answers, payer);
    this.bodyMax = bodyMax;
    this.from = from;
  }

  /** Gives back what the request has taken, and what its answer has taken once that was sent. */
  void end() {
    if (held > 0) {
      memory.give(payer, held);
      held = 0;
    }
    if (!holding.isEmpty()) {
      Exchange.of(context::attribute)
          .ifPresentOrElse(exchange -> exchange.afterwards(holding::end), holding::end);
    }
  }

  /** What its answer takes. */
  AnswerReservation holding() {
    return holding;
  }

  Context context() {
    return context;
  }

  /** Who asks. The gate has let nobody else through. */
  Principal principal() {
    return principal.orElseThrow();
  }

  /** Says who it is, once that has shown. */
  void turnedOutToBe(Principal who) {
    principal = Optional.of(who);
  }

  /**
   * Says whose request it is before its body is read.
   *
   * @param where the {@linkplain io.belfry.server.access.NamespaceRecord#scope scope} of the namespace of its address, in which the gate
   *     judges the caller's rights; empty if there is none
   * @param stillAllowed refuses one whose rights have ended; asked again once the body has arrived, which may take a minute, and by {@link
   *     #requireStillAllowed}
   */
  void comesFrom(Principal who, Optional<String> where, Runnable stillAllowed) {
    turnedOutToBe(who);
    scope = where;
    payer = who.id();
    holding = new AnswerReservation(answers, payer);
    this.stillAllowed = stillAllowed;
  }

  /** The scope of the namespace in which the gate has judged the caller's rights; empty if there is none. */
  Optional<String> scope() {
    return scope;
  }

  /** Refuses a caller whose rights have ended since the request began: for requests that change one thing after another. */
  void requireStillAllowed() {
    stillAllowed.run();
  }

  /** The memory of the body is counted by this, and not with that of all who need not say who they are. */
  void paidBy(String other) {
    payer = other;
  }

  /** Who asks, if it is known. */
  Optional<Principal> whoever() {
    return principal;
  }

  /** Whether the caller may know how the engine is reached. */
  boolean isAdmin() {
    return principal.filter(who -> who.role().includes(Role.ADMIN)).isPresent();
  }

  /** Says for the audit log what a request is about, where its address does not. */
  void concerns(String what) {
    about = Optional.of(what);
  }

  Optional<String> about() {
    return about;
  }

  /** A part of a request that is audited though its route comes too often to be audited as a whole. */
  sealed interface Audited {
    /** Entries of its own, one for each text, because one alone would be cut. */
    record Change(List<String> abouts) implements Audited {}

    /** Tasks that were submitted by a job or handler, which are counted. */
    record Submits(String what, int tasks) implements Audited {}

    /** Parts that were refused because the role is not enough, while the others were carried out. */
    record Refusal(List<String> abouts) implements Audited {}
  }

  void audited(Audited part) {
    audited.add(part);
  }

  List<Audited> audited() {
    return audited;
  }

  /** A part of the address. */
  String path(String name) {
    return context.pathParam(name);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(context.header(name));
  }

  /** Refuses parameters that nobody would look at: a mistyped filter would silently show everything. */
  Call knows(String... names) {
    List<String> known = List.of(names);
    for (String given : context.queryParamMap().keySet()) {
      if (!known.contains(given)) {
        throw Fields.unknown(Check.clip(given, 80), "parameter", given, known);
      }
    }
    return this;
  }

  Optional<String> query(String name) {
    List<String> all = context.queryParams(name);
    Check.that(
        all.size() <= 1,
        name,
        new Check.Amount(all.size(), "times"),
        "must be given once, because only one can count",
        "Keep one of them.");
    Optional<String> value = all.stream().findFirst().filter(text -> !text.isEmpty());
    value.ifPresent(text -> Check.atMost(name, text, QUERY_CHARS_MAX));
    return value;
  }

  Optional<Integer> whole(String name, int min, int max) {
    return query(name).map(text -> {
      try {
        return Check.between(name, Integer.parseInt(text), min, max, "answers are bounded");
      } catch (NumberFormatException e) {
        throw Check.refusal(
            name, text, "must be a whole number", "Write for example " + name + "=" + min + ".");
      }
    });
  }

  int limit() {
    return whole("limit", 1, LIMIT_MAX).orElse(LIMIT_USUAL);
  }

  Optional<Boolean> flag(String name) {
    return query(name).map(text -> switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
        throw Check.refusal(name, text, "must be true or false", "Write " + name + "=true.");
    });
  }

  Optional<Instant> instant(String name) {
    return query(name).map(text -> Fields.instant(name, text));
  }

  /** The body, which must be there and have no more than so many bytes. */
  JsonNode body(int most) {
    bodyMax = Math.min(bodyMax, most);
    return body();
  }

  /** The body, which must be there. */
  JsonNode body() {
    return optionalBody()
        .orElseThrow(() -> Problem.at(
            "body",
            Code.INVALID,
            "body must be given, because it says what is wanted, but was empty. Send JSON."));
  }

  /** The body, if there is one. */
  Optional<JsonNode> optionalBody() {
    byte[] bytes = bytes();
    if (bytes.length == 0) {
      return Optional.empty();
    }
    requireJson();
    hold(BodyMemory.elements(bytes));
    try {
      JsonNode body = Json.reading(() -> JSON.readTree(bytes));
      requireWhole(body);
      return Optional.of(body);
    } catch (JacksonException e) { // without the parser's own words, which quote what was sent
      throw Problem.at(
          "body",
          Code.INVALID,
          "body must be JSON" + place(e) + ", of at most " + DEPTH_MAX
              + " levels, without a field twice and with numbers of at most " + NUMBER_CHARS_MAX
              + " characters. Correct it.");
    }
  }

  /** Halves of characters can be written with escapes, but neither stored nor answered. */
  private static void requireWhole(JsonNode node) {
    if (node.isString()) {
      requireWhole(node.asString());
    }
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      requireWhole(each.getKey());
    }
    node.values().forEach(Call::requireWhole);
  }

  private static void requireWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair = Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1));
      if (Character.isSurrogate(c) && !pair) {
        throw Problem.at(
            "body",
            Code.INVALID,
            "body must have whole characters, but has half of a pair (\\u%04x). Correct it."
                .formatted((int) c));
      }
      i += pair ? 1 : 0;
    }
  }

  private static String place(JacksonException e) {
    var at = e.getLocation();
    return at == null
        ? ""
        : ", but is not at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  /** The header is read as it is: the web server's own reading of it throws at charsets that it does not know. */
  private void requireJson() {
    String type = header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    String[] parts = type.split(";", -1);
    boolean isJson = parts[0].strip().equals("application/json");
    boolean isUtf8 = Arrays.stream(parts)
        .map(part -> part.strip().replace("\"", ""))
        .filter(part -> part.startsWith("charset="))
        .allMatch("charset=utf-8"::equals);
    if (!isJson || !isUtf8) {
      throw Problem.of(
          Code.UNSUPPORTED,
          "Content-Type must be application/json, in UTF-8, because nothing else is read, but was \""
              + Check.clip(type, 80) + "\". Set the header.");
    }
  }

  private byte[] bytes() {
    if (context.contentLength() > bodyMax) {
      throw tooLarge();
    }
    try (InputStream in = context.bodyInputStream()) {
      int told = context.contentLength();
      byte[] bytes = told >= 0 ? told(in, told) : untold(in);
      requireStillAllowed();
      return bytes;
    } catch (SlowBodyException e) {
      throw Problem.of(
          Code.TIMEOUT,
          "body must arrive in time, but " + e.getMessage()
              + ". Send it faster, or raise the limit.");
    } catch (IOException e) {
      throw Problem.of(
          Code.INVALID, "body must arrive whole, but the connection ended before. Send it again.");
    }
  }

  private byte[] told(InputStream in, int length) throws IOException {
    hold(length);
    return in.readNBytes(length);
  }

  private byte[] untold(InputStream in) throws IOException {
    var all = new ByteArrayOutputStream();
    for (byte[] part = in.readNBytes(PART_BYTES);
        part.length > 0;
        part = in.readNBytes(PART_BYTES)) {
      hold(part.length);
      all.writeBytes(part);
      if (all.size() > bodyMax) {
        throw tooLarge();
      }
    }
    return all.toByteArray();
  }

  private void hold(long bytes) {
    if (!memory.take(payer, held, bytes)) {
      throw Problem.of(
          Code.TOO_MANY,
          "The bodies that this server reads at once take all the memory that is meant for them. Try again later, and send fewer or smaller ones at once.");
    }
    held += bytes;
  }

  private Problem tooLarge() {
    return Problem.of(
        Code.TOO_LARGE,
        "body must have at most " + bodyMax
            + " bytes (limit.body), but has more. Send less at once, or raise the limit.");
  }

  /** The address of the client. */
  String from() {
    return from;
  }
}
