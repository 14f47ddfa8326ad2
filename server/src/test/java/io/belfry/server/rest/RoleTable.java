package io.belfry.server.rest;

import io.belfry.server.access.Role;
import java.util.List;

/** The table of docs/roles.md as requests, where the route alone does not decide. Threading: immutable. */
final class RoleTable {
  private static final String MINE = "/api/v1/namespaces/mine";
  private static final String LOCAL = "{\"executor\": {\"type\": \"local\", \"handler\": \"h\"}";
  private static final String LISTED =
      "{\"executor\": {\"type\": \"local\", \"handler\": \"listed\"}";
  private static final String HTTP = "{\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\"}";
  private static final String SCRIPT =
      "{\"type\": \"script\", \"interpreter\": \"bash\", \"script\": \"true\"}";
  private static final String CALLBACK =
      "{\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\", \"complete\": \"callback\"}";
  private static final String SECRET =
      "{\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\", \"body\": \"${secret:billing}\"}";

  /** What a request does, and the least role that may do it. */
  record Deed(String name, String method, String path, String body, Role least) {}

  private static Deed submit(String name, String body, Role least) {
    return new Deed(name, "POST", MINE + "/tasks", body, least);
  }

  /** What the table of docs/roles.md says, where the route alone does not decide. */
  static final List<Deed> DEEDS = List.of(
      submit("inline http", "{\"executor\": " + HTTP + ", \"in\": \"1h\"}", Role.DEVELOPER),
      submit("inline script", "{\"executor\": " + SCRIPT + ", \"in\": \"1h\"}", Role.DEVELOPER),
      submit("inline callback", "{\"executor\": " + CALLBACK + ", \"in\": \"1h\"}", Role.DEVELOPER),
      submit("inline secret", "{\"executor\": " + SECRET + ", \"in\": \"1h\"}", Role.DEVELOPER),
      submit("other handler", LOCAL + ", \"in\": \"1h\"}", Role.DEVELOPER),
      submit("listed handler", LISTED + ", \"in\": \"1h\"}", Role.OPERATOR),
      submit("by job", "{\"job\": \"stays\", \"payload\": 1, \"in\": \"1h\"}", Role.OPERATOR),
      new Deed(
          "trigger with payload",
          "POST",
          MINE + "/jobs/stays/trigger",
          "{\"at\": \"2035-01-01T00:00:00Z\", \"payload\": {\"a\": 1}}",
          Role.OPERATOR),
      new Deed(
          "trigger on a worker",
          "POST",
          MINE + "/jobs/stays/trigger",
          "{\"worker\": \"nobody\"}",
          Role.OPERATOR),
      new Deed("retry", "POST", MINE + "/tasks/ended/retry", "", Role.OPERATOR),
      new Deed(
          "priority", "PATCH", MINE + "/tasks/waits", "{\"priority\": \"low\"}", Role.OPERATOR),
      new Deed("save a job", "PUT", MINE + "/jobs/saved", LOCAL + "}", Role.DEVELOPER),
      new Deed("save a calendar", "PUT", MINE + "/calendars/saved", "{}", Role.DEVELOPER),
      new Deed(
          "apply",
          "POST",
          MINE + "/jobs",
          "{\"action\": \"apply\", \"jobs\": [" + LOCAL + ", \"id\": \"saved\"}]}",
          Role.DEVELOPER),
      new Deed(
          "apply dry",
          "POST",
          MINE + "/jobs",
          "{\"action\": \"apply\", \"dryRun\": true, \"jobs\": [" + LOCAL
              + ", \"id\": \"saved\"}]}",
          Role.DEVELOPER),
      new Deed(
          "delete many",
          "POST",
          MINE + "/jobs",
          "{\"action\": \"delete\", \"ids\": [\"never-was\"]}",
          Role.DEVELOPER),
      new Deed(
          "disable many",
          "POST",
          MINE + "/jobs",
          "{\"action\": \"disable\", \"ids\": [\"stays\"]}",
          Role.OPERATOR),
      new Deed(
          "set a secret",
          "PUT",
          MINE + "/secrets/matrix",
          "{\"value\": \"x\", \"destinations\": [\"script\"]}",
          Role.ADMIN),
      new Deed("list secrets", "GET", MINE + "/secrets", "", Role.ADMIN),
      new Deed(
          "make a token",
          "POST",
          MINE + "/tokens",
          "{\"name\": \"m\", \"role\": \"viewer\"}",
          Role.ADMIN),
      new Deed("read the audit log", "GET", MINE + "/audit", "", Role.ADMIN),
      new Deed(
          "choose a strategy",
          "PUT",
          MINE + "/cluster/strategy",
          "{\"strategy\": \"random\"}",
          Role.ADMIN));

  private RoleTable() {}
}
