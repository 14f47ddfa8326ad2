package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each verb sends the right method, address, body and token, and exits with 0. */
class RequestsTest {
  private static final String NS = "/api/v1/namespaces/default/";

  /** A command, and the last request that it must make. */
  record Case(String command, String line, String body) {
    @Override
    public String toString() {
      return command;
    }
  }

  private static Case of(String command, String line) {
    return new Case(command, line, "");
  }

  static Stream<Case> jobs() {
    return Stream.of(
        of("job list", "GET " + NS + "jobs"),
        of(
            "job list invoices --enabled --label team=billing --executor http --queue q --sort -next --limit 9 --cursor c",
            "GET " + NS
                + "jobs?q=invoices&enabled=true&label=team%3Dbilling&executor=http&queue=q&sort=-next&limit=9&cursor=c"),
        of("job list --sort=-updated", "GET " + NS + "jobs?sort=-updated"),
        of("job list --disabled", "GET " + NS + "jobs?enabled=false"),
        of("job get nightly-invoices", "GET " + NS + "jobs/nightly-invoices"),
        of("job delete cleanup", "DELETE " + NS + "jobs/cleanup"),
        of("job enable nightly-invoices", "POST " + NS + "jobs/nightly-invoices/enable"),
        of("job disable nightly-invoices", "POST " + NS + "jobs/nightly-invoices/disable"),
        of("job trigger nightly-invoices", "POST " + NS + "jobs/nightly-invoices/trigger"),
        new Case(
            "job trigger nightly-invoices --at 2027-01-01T02:30:00+01:00 --payload {\"a\":1} --worker w",
            "POST " + NS + "jobs/nightly-invoices/trigger",
            "{\"at\":\"2027-01-01T01:30:00Z\",\"payload\":{\"a\":1},\"worker\":\"w\"}"),
        of("job explain nightly-invoices", "GET " + NS + "jobs/nightly-invoices/explain"),
        of(
            "job explain nightly-invoices --at -2h",
            "GET " + NS + "jobs/nightly-invoices/explain?at=2026-11-16T08%3A00%3A00Z"),
        of("job versions nightly-invoices", "GET " + NS + "jobs/nightly-invoices/versions"),
        of(
            "job restore nightly-invoices 4",
            "POST " + NS + "jobs/nightly-invoices/versions/4/restore"));
  }

  static Stream<Case> tasks() {
    return Stream.of(
        of("task list", "GET " + NS + "tasks"),
        of(
            "task list --state FAILED --job a --queue q --worker w --since 2026-11-15 --until +1h --limit 3",
            "GET " + NS
                + "tasks?state=failed&job=a&queue=q&worker=w&since=2026-11-15T00%3A00%3A00Z&until=2026-11-16T11%3A00%3A00Z&limit=3"),
        of("task get 01k8fgq2", "GET " + NS + "tasks/01k8fgq2"),
        of(
            "task get daily-reconcile@2026-11-15T22:00:00Z",
            "GET " + NS + "tasks/daily-reconcile%402026-11-15T22%3A00%3A00Z"),
        new Case(
            "task cancel 01k8fgq2 --reason why",
            "POST " + NS + "tasks/01k8fgq2/cancel",
            "{\"reason\":\"why\"}"),
        of("task retry 01k8fgq2", "POST " + NS + "tasks/01k8fgq2/retry"),
        new Case(
            "task priority 01k8fgq2 urgent",
            "PATCH " + NS + "tasks/01k8fgq2",
            "{\"priority\":\"urgent\"}"),
        of("task logs 01k8fgq2", "GET " + NS + "tasks/01k8fgq2/logs"),
        new Case(
            "task submit --handler send --id t-1 --payload {\"c\":7} --in 5m --priority high --timeout 1m --retries 2 --at-most-once --queue q --worker-label region=eu --label team=x --name n",
            "POST " + NS + "tasks",
            "{\"id\":\"t-1\",\"name\":\"n\",\"executor\":{\"type\":\"local\",\"handler\":\"send\"},\"payload\":{\"c\":7},\"in\":\"5m\",\"priority\":\"high\",\"timeout\":\"1m\",\"retry\":{\"max\":2},\"atMostOnce\":true,\"queue\":\"q\",\"workers\":{\"region\":\"eu\"},\"metadata\":{\"team\":\"x\"}}"),
        new Case(
            "task submit --job nightly --payload {\"c\":7} --in 5m --priority high --key k",
            "POST " + NS + "tasks",
            "{\"job\":\"nightly\",\"payload\":{\"c\":7},\"in\":\"5m\",\"priority\":\"high\",\"key\":\"k\"}"),
        new Case(
            "task submit --http https://x/run --method PUT --key k --at 2027-01-01",
            "POST " + NS + "tasks",
            "{\"executor\":{\"type\":\"http\",\"method\":\"PUT\",\"url\":\"https://x/run\"},\"at\":\"2027-01-01T00:00:00Z\",\"key\":\"k\"}"),
        new Case(
            "task submit --executor {\"type\":\"script\",\"script\":\"ls\"} --key k",
            "POST " + NS + "tasks",
            "{\"executor\":{\"type\":\"script\",\"script\":\"ls\"},\"key\":\"k\"}"),
        of("task submit --handler send --id t --wait", "GET " + NS + "tasks/01k8fgq2"));
  }

  static Stream<Case> others() {
    return Stream.of(
        of("workers list", "GET " + NS + "workers"),
        of("workers drain worker-2", "POST " + NS + "workers/worker-2/drain"),
        new Case(
            "workers drain worker-2 --undo",
            "POST " + NS + "workers/worker-2/drain",
            "{\"undo\":true}"),
        new Case(
            "workers capacity worker-2 32",
            "PUT " + NS + "workers/worker-2/capacity",
            "{\"capacity\":32}"),
        of("cluster status", "GET " + NS + "cluster"),
        of("cluster strategy get", "GET " + NS + "cluster/strategy"),
        new Case(
            "cluster strategy set round-robin",
            "PUT " + NS + "cluster/strategy",
            "{\"strategy\":\"round-robin\"}"),
        of("cluster strategy reset", "POST " + NS + "cluster/strategy/reset"),
        new Case(
            "cluster pause --reason upgrade",
            "POST " + NS + "cluster/pause",
            "{\"reason\":\"upgrade\"}"),
        of("cluster resume", "POST " + NS + "cluster/resume"),
        of("namespace list", "GET /api/v1/namespaces"),
        new Case(
            "namespace create billing --description invoices",
            "POST /api/v1/namespaces",
            "{\"name\":\"billing\",\"description\":\"invoices\"}"),
        of("namespace delete billing", "DELETE /api/v1/namespaces/billing"),
        of("token list", "GET " + NS + "tokens"),
        new Case(
            "token create ci --role operator --all-namespaces --expires-in 30d",
            "POST " + NS + "tokens",
            "{\"name\":\"ci\",\"role\":\"operator\",\"allNamespaces\":true,\"expiresIn\":\"30d\"}"),
        new Case(
            "token create dev --role developer",
            "POST " + NS + "tokens",
            "{\"name\":\"dev\",\"role\":\"developer\"}"),
        of("token list --all", "GET /api/v1/tokens"),
        of("token revoke 8c01be", "DELETE " + NS + "tokens/8c01be"),
        of("token revoke 77aa01", "DELETE /api/v1/tokens/77aa01"),
        of("token login-link", "POST /api/v1/login-links"),
        of("secret list", "GET " + NS + "secrets"),
        new Case(
            "secret put billing-password --destination https://b.test --destination script --file -",
            "PUT " + NS + "secrets/billing-password",
            "{\"value\":\"typed\",\"destinations\":[\"https://b.test\",\"script\"]}"),
        of("secret rotate", "POST /api/v1/secrets/rotate"),
        of("secret delete billing-password", "DELETE " + NS + "secrets/billing-password"),
        of("calendar list", "GET " + NS + "calendars"),
        of("calendar get working-days", "GET " + NS + "calendars/working-days"),
        of("calendar delete working-days", "DELETE " + NS + "calendars/working-days"),
        of("audit --limit 7", "GET " + NS + "audit?limit=7"));
  }

  @ParameterizedTest
  @MethodSource({"jobs", "tasks", "others"})
  void verb(Case wanted) {
    try (var server = new StandIn()) {
      Terminal.Ran ran =
          Terminal.at(server).typing("typed\n").run(wanted.command().split(" ", -1));
      assertThat(ran.err()).doesNotContain("Usage").doesNotContainIgnoringCase("unexpected");
      assertThat(ran.exit()).isZero();
      assertThat(ran.out()).isNotBlank();
      List<StandIn.Asked> asked = server.asked();
      assertThat(asked.getLast().line()).isEqualTo(wanted.line());
      assertThat(asked.getLast().body()).isEqualTo(wanted.body());
      assertThat(asked)
          .allMatch(each -> each.header("Authorization").equals("Bearer " + StandIn.TOKEN));
    }
  }

  @ParameterizedTest
  @MethodSource({"jobs", "tasks", "others"})
  void a_refusal_is_a_sentence_and_exit_code_1(Case wanted) {
    try (var server = new StandIn()) {
      Terminal.Ran ran = Terminal.at(server)
          .with("BELFRY_TOKEN", "wrong")
          .typing("typed\n")
          .run(wanted.command().split(" ", -1));
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err())
          .isEqualTo(
              "belfry: The token is not known here, or is not good any more. The token is from BELFRY_TOKEN.\n");
    }
  }

  @ParameterizedTest
  @MethodSource({"jobs", "tasks", "others"})
  void help_has_a_description_and_an_example(Case wanted) {
    String[] words = wanted.command().split(" ", -1);
    int verbs = words[0].equals("audit") ? 1 : words[1].equals("strategy") ? 3 : 2;
    var help = new String[verbs + 1];
    System.arraycopy(words, 0, help, 0, verbs);
    help[verbs] = "--help";
    Terminal.Ran ran = Terminal.nowhere().run(help);
    assertThat(ran.exit()).isZero();
    assertThat(ran.out())
        .contains("Usage: belfry " + words[0])
        .contains("--namespace")
        .contains("Examples:\n  belfry " + words[0]);
  }
}
