package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Somebody who uses everything there is, rightly and wrongly. Threading: confined to its test. */
final class Conversation {
  private static final String LOCAL = "{'executor': {'type': 'local', 'handler': 'nobody'}";
  private static final String UNKNOWN = "nothing-here";

  private final Caller caller;
  private final RunningServer server;
  private final Target target;
  private final Document document;

  Conversation(Caller caller, RunningServer server, Target target, Document document) {
    this.caller = caller;
    this.server = server;
    this.target = target;
    this.document = document;
  }

  private Caller.Request to(String operation) {
    return caller.to(operation);
  }

  void hold() {
    health();
    namespaces();
    jobs();
    bulk();
    calendars();
    tasks();
    ends();
    callbacks();
    cluster();
    access();
    streams();
  }

  private void health() {
    to("health").as("").gives(200);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
    to("ready").as("").gives(200);
    to("openapi").as("").gives(200);
    to("metrics").gives(200);
    to("metrics").as("").gives(401);
  }

  private void namespaces() {
    to("createNamespace").body("{'name': 'second', 'description': 'Another.'}").gives(201);
    to("createNamespace").body("{'name': 'second'}").gives(409);
    to("createNamespace").body("{'name': 'No Good'}").gives(400);
    to("createNamespace").body("{'name': 'belfry.mine'}").gives(400);
    to("listNamespaces").gives(200);
    to("listNamespaces").as("bft_wrong").gives(401);
    to("getNamespace").with("ns", "second").gives(200);
    to("getNamespace").with("ns", "third").gives(404);
    to("deleteNamespace").with("ns", "second").gives(204);
    to("deleteNamespace").with("ns", "third").gives(404);
  }

  private void jobs() {
    to("putJob")
        .with("job", "nightly")
        .body(LOCAL + ", 'trigger': {'cron': '0 0 3 * * *', 'zone': 'Europe/Berlin'},"
            + " 'payload': {'region': 'eu'}, 'metadata': {'team': 'billing'}, 'shards': 1,"
            + " 'limit': {'concurrency': 2, 'rate': '5/s'}, 'workers': {'disk': 'ssd'},"
            + " 'retain': {'for': '7d', 'last': 10}, 'description': 'Invoices.'}")
        .gives(201);
    to("putJob")
        .with("job", "nightly")
        .body(LOCAL + "}")
        .with("If-Match", "\"1\"")
        .gives(200);
    to("putJob")
        .with("job", "nightly")
        .body(LOCAL + "}")
        .with("If-Match", "\"1\"")
        .gives(412);
    to("putJob")
        .with("job", "nightly")
        .body(LOCAL + "}")
        .with("If-None-Match", "*")
        .gives(412);
    to("putJob").with("job", "nightly").body(LOCAL + ", 'triger': 1}").gives(400);
    to("getJob").with("job", "nightly").gives(200);
    to("getJob").with("job", UNKNOWN).gives(404);
    to("getJob").with("job", "Not An Id").gives(400);
    to("listJobs")
        .with("q", "night")
        .with("sort", "-updated")
        .with("limit", "1")
        .gives(200);
    to("listJobs").with("cursor", "???").gives(400);
    to("listJobs").with("colour", "blue").gives(400);
    to("previewJob").body(LOCAL + ", 'id': 'x', 'trigger': {'cron': '@daily'}}").gives(200);
    to("previewJob").body("{'id': 'x'}").gives(400);
    to("previewCron")
        .with("expression", "0 0 3 * * *")
        .with("zone", "Europe/Berlin")
        .gives(200);
    to("previewCron").with("expression", "every full moon").gives(400);
    JsonNode once = to("triggerJob")
        .with("job", "nightly")
        .body("{'at': '2030-01-01T00:00:00Z'}")
        .gives(201);
    assertThat(to("triggerJob")
            .with("job", "nightly")
            .body("{'at': '2030-01-01T00:00:00Z'}")
            .gives(200))
        .isEqualTo(once);
    to("triggerJob").with("job", UNKNOWN).gives(404);
    to("triggerJob").with("job", "nightly").body("{'at': 'tomorrow'}").gives(400);
    to("disableJob").with("job", "nightly").gives(200);
    to("disableJob").with("job", UNKNOWN).gives(404);
    to("enableJob").with("job", "nightly").gives(200);
    to("enableJob").with("job", UNKNOWN).gives(404);
    to("explainJob").with("job", "nightly").gives(200);
    to("explainJob").with("job", "nightly").with("at", "2030-01-01T00:00:00Z").gives(200);
    to("explainJob").with("job", UNKNOWN).gives(404);
    to("listVersions").with("job", "nightly").gives(200);
    to("listVersions").with("job", UNKNOWN).gives(404);
    to("restoreVersion").with("job", "nightly").with("generation", "1").gives(200);
    to("restoreVersion").with("job", "nightly").with("generation", "99").gives(404);
    to("restoreVersion").with("job", "nightly").with("generation", "one").gives(400);
  }

  private void bulk() {
    to("changeJobs")
        .body(
            "{'action': 'apply', 'jobs': [" + LOCAL + ", 'id': 'a'}, " + LOCAL + ", 'id': 'Bad'}]}")
        .gives(200);
    to("changeJobs").body("{'action': 'trigger', 'ids': ['a', 'nothing-here']}").gives(200);
    to("changeJobs").body("{'action': 'explode', 'ids': ['a']}").gives(400);
    to("deleteJob").with("job", "a").with("If-Match", "\"7\"").gives(412);
    to("deleteJob").with("job", "a").gives(204);
    to("deleteJob").with("job", "a").gives(404);
  }

  private void calendars() {
    to("putCalendar")
        .with("calendar", "working-days")
        .body(
            "{'zone': 'Europe/Berlin', 'rules': [{'exclude': {'weekdays': ['saturday', 'sunday']}},"
                + " {'exclude': {'yearly': ['12-25']}}, {'include': {'dates': ['2027-01-02']}},"
                + " {'exclude': {'from': '2027-08-01', 'to': '2027-08-14'}}]}")
        .gives(200);
    to("putCalendar").with("calendar", "working-days").body("{'rules': [{}]}").gives(400);
    to("getCalendar").with("calendar", "working-days").gives(200);
    to("getCalendar").with("calendar", UNKNOWN).gives(404);
    to("listCalendars").gives(200);
    to("listCalendars").with("ns", "third").gives(404);
    to("putJob")
        .with("job", "on-working-days")
        .body(LOCAL + ", 'trigger': {'cron': '@daily', 'calendar': 'working-days'}}")
        .gives(201);
    to("deleteCalendar").with("calendar", "working-days").gives(409);
    to("deleteJob").with("job", "on-working-days").gives(204);
    to("deleteCalendar").with("calendar", "working-days").gives(204);
    to("deleteCalendar").with("calendar", "working-days").gives(404);
  }

  private void tasks() {
    String later = LOCAL + ", 'in': '1h'}";
    String id = to("submitTask")
        .body(later)
        .with("Idempotency-Key", "k")
        .gives(201)
        .path("id")
        .asString("");
    to("submitTask").body(later).with("Idempotency-Key", "k").gives(200);
    to("submitTask")
        .body(LOCAL + ", 'in': '2h', 'name': 'x'}")
        .with("Idempotency-Key", "k")
        .gives(409);
    to("submitTask").body("[" + later + ", {'executor': {}}]").gives(200);
    to("submitTask").body("{'executor': {'type': 'local'}, 'prioritty': 'low'}").gives(400);
    to("submitTask").body("{'job': '" + UNKNOWN + "'}").gives(404);
    to("submitTask").body("{'job': '" + UNKNOWN + "', 'timeout': '1s'}").gives(404);
    to("submitTask").body("{'job': 7}").gives(400);
    to("submitTask").body("'" + "x".repeat(1 << 20) + "'").gives(413);
    to("listTasks").with("state", "pending").with("limit", "2").gives(200);
    to("listTasks").with("state", "happy").gives(400);
    to("getTask").with("task", id).gives(200);
    to("getTask").with("task", UNKNOWN).gives(404);
    to("changeTask").with("task", id).body("{'priority': 'urgent'}").gives(202);
    to("changeTask").with("task", id).body("{'priority': 'soon'}").gives(400);
    to("retryTask").with("task", id).gives(409);
    to("cancelTask").with("task", id).body("{'reason': 'not needed'}").gives(202);
    ended(id);
    to("cancelTask").with("task", id).gives(409);
    to("getTask").with("task", id).gives(200);
    to("retryTask").with("task", id).gives(201);
    to("stats").with("by", "day").gives(200);
    to("stats").with("by", "century").gives(400);
  }

  private void ended(String id) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.get("/api/v1/namespaces/default/tasks/" + id).body().has("ended"));
  }

  private String submit(String path, String more) {
    return to("submitTask")
        .body("{'executor': {'type': 'http', 'url': '" + target.url(path) + "'" + more
            + "}, 'retry': {'max': 0}}")
        .gives(201)
        .path("id")
        .asString("");
  }

  private void ends() {
    for (String path : new String[] {"/good", "/bad"}) {
      String id = submit(path, "");
      ended(id);
      to("getTask").with("task", id).gives(200);
      to("taskLogs").with("task", id).gives(200);
    }
    to("taskLogs").with("task", UNKNOWN).gives(404);
    to("listTasks").gives(200);
    to("stats").gives(200);
  }

  private void callbacks() {
    String id = submit("/later", ", 'complete': 'callback', 'method': 'POST'");
    String url = target.callback();
    String token = url.substring(url.lastIndexOf('/') + 1);
    to("complete").as("").with("token", token).body("{'status': 'perhaps'}").gives(400);
    to("complete")
        .as("")
        .with("token", token)
        .body("{'status': 'succeeded', 'message': 'rendered', 'data': {'frames': 3}}")
        .gives(204);
    ended(id);
    to("getTask").with("task", id).gives(200);
    to("complete").as("").with("token", UNKNOWN).body("{'status': 'failed'}").gives(404);
  }

  private void cluster() {
    to("cluster").gives(200);
    to("cluster").with("ns", "third").gives(404);
    to("pause").body("{'reason': 'moving house'}").gives(204);
    to("cluster").gives(200);
    to("pause").body("{}").gives(400);
    to("resume").gives(204);
    to("resume").with("ns", "third").gives(404);
    to("getStrategy").gives(200);
    to("getStrategy").with("ns", "third").gives(404);
    to("setStrategy").body("{'strategy': 'round-robin'}").gives(200);
    to("setStrategy").body("{'strategy': 'by-height'}").gives(400);
    to("resetStrategy").gives(204);
    to("resetStrategy").with("ns", "third").gives(404);
    JsonNode workers = to("listWorkers").gives(200);
    to("listWorkers").with("ns", "third").gives(404);
    String worker = workers.at("/items/0/id").asString("");
    to("setCapacity").with("worker", worker).body("{'capacity': 20}").gives(202);
    to("setCapacity").with("worker", worker).body("{'capacity': -1}").gives(400);
    to("drainWorker").with("worker", worker).gives(202);
    to("drainWorker").with("worker", worker).body("{'undo': true}").gives(202);
    to("drainWorker").with("worker", UNKNOWN).gives(404);
    to("putQueue").with("queue", "slow").body("{'mode': 'pull'}").gives(204);
    to("putQueue").with("queue", "slow").body("{'mode': 'throw'}").gives(400);
  }

  private void access() {
    JsonNode made = to("createToken")
        .body("{'name': 'ci', 'role': 'operator', 'expiresIn': '1h'}")
        .gives(201);
    String token = made.path("token").asString("");
    to("createToken").body("{'name': 'ci', 'role': 'emperor'}").gives(400);
    to("listTokens").gives(200);
    to("listTokens").as(token).gives(403);
    to("listAllTokens").gives(200);
    to("listAllTokens").as(token).gives(403);
    to("revokeAnyToken").with("token", UNKNOWN).gives(404);
    JsonNode other =
        to("createToken").body("{'name': 'other', 'role': 'viewer'}").gives(201);
    to("revokeAnyToken").with("token", other.path("id").asString("")).gives(204);
    to("me").as(token).gives(200);
    to("login").as("").body("{'token': '" + token + "'}").gives(200);
    to("login").as("").body("{'token': 'bft_wrong'}").gives(401);
    to("login").as("").body("{}").gives(400);
    to("createLoginLink").as(token).gives(201);
    to("createLoginLink").as("").gives(401);
    to("logout").as(token).gives(204);
    to("logout").as("").gives(401);
    to("revokeToken").with("token", made.path("id").asString("")).gives(204);
    to("revokeToken").with("token", made.path("id").asString("")).gives(404);
    to("me").as(token).gives(401);
    to("putSecret")
        .with("secret", "key")
        .body("{'value': 'hush', 'destinations': ['https://a.test', 'script']}")
        .gives(204);
    to("putSecret")
        .with("secret", "key")
        .body("{'value': '', 'destinations': ['*']}")
        .gives(400);
    to("putSecret").with("secret", "key").body("{'value': 'hush'}").gives(400);
    to("rotateSecrets").gives(200);
    to("rotateSecrets").as("").gives(401);
    to("listSecrets").gives(200);
    to("listSecrets").with("ns", "third").gives(404);
    to("deleteSecret").with("secret", "key").gives(204);
    to("deleteSecret").with("secret", "key").gives(404);
    to("audit").with("limit", "3").gives(200);
    to("audit").with("ns", "belfry.system").gives(200);
    to("audit").with("cursor", "elsewhere/1").gives(400);
  }

  private void streams() {
    to("events").gives(200);
    to("events").with("type", "taskExploded").gives(400);
    var stream = new Listening(server, document, "events");
    stream.begin(to("events").path());
    String id = submit("/good", "");
    stream.until("taskCompleted");
    var logs = new Listening(server, document, "taskLogs");
    logs.begin(to("taskLogs").with("task", id).with("follow", "true").path());
    logs.until("end");
    assertThat(logs.heard()).contains("log", "end");
    stream.close();
    stream.begin(to("events").path(), "Last-Event-ID", "another-7");
    stream.until("reset");
    stream.close();
    logs.close();
  }
}
