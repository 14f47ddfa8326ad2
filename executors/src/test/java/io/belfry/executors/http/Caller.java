package io.belfry.executors.http;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.TestAttempt;
import io.belfry.executors.egress.Egress;
import io.belfry.executors.egress.EgressRules;
import io.belfry.executors.egress.HostLookup;
import io.belfry.executors.egress.NameLookups;
import io.belfry.executors.secret.SecretValue;
import io.belfry.executors.secret.Secrets;
import io.belfry.executors.template.Scope;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** An HTTP executor, put together for a test. */
public final class Caller implements AutoCloseable {
  public static final Map<String, String> SECRETS = Map.of(
      "token", "s3cr3t/token+value", "pin", "1234567", "short", "abc", "spaced", "two words here");

  final Outbound outbound;
  final HttpExecutor executor;

  private Caller(
      HttpSettings settings, Supplier<EgressRules> rules, HostLookup names, Callbacks callbacks) {
    this(
        settings,
        rules,
        names,
        callbacks,
        name -> Optional.ofNullable(SECRETS.get(name)).map(SecretValue::unrestricted));
  }

  private Caller(
      HttpSettings settings,
      Supplier<EgressRules> rules,
      HostLookup names,
      Callbacks callbacks,
      Secrets secrets) {
    outbound = Outbound.open(settings);
    executor = new HttpExecutor(
        outbound,
        new Scope("billing", secrets, Time.system()),
        new Egress(rules, names),
        callbacks);
  }

  public static Caller usual() {
    return with(EgressRules.standard(), NameLookups.system(Time.system()).of("test"));
  }

  public static Caller with(EgressRules rules, HostLookup names) {
    return with(() -> rules, names);
  }

  public static Caller with(Supplier<EgressRules> rules, HostLookup names) {
    return new Caller(HttpSettings.defaults(), rules, names, Callbacks.NONE);
  }

  static Caller with(HttpSettings settings, HostLookup names) {
    return new Caller(settings, usualRules(), names, Callbacks.NONE);
  }

  static Caller with(Callbacks callbacks) {
    return new Caller(
        HttpSettings.defaults(),
        usualRules(),
        NameLookups.system(Time.system()).of("test"),
        callbacks);
  }

  static Caller with(Secrets secrets, Callbacks callbacks) {
    return new Caller(
        HttpSettings.defaults(),
        usualRules(),
        NameLookups.system(Time.system()).of("test"),
        callbacks,
        secrets);
  }

  private static Supplier<EgressRules> usualRules() {
    EgressRules rules = EgressRules.standard();
    return () -> rules;
  }

  /** Settings: names and values in turn. */
  public static ExecutorSpec spec(Object... settings) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put((String) settings[i], settings[i + 1]);
    }
    return new ExecutorSpec("http", map);
  }

  public Result call(ExecutorSpec spec) throws AttemptException, InterruptedException {
    return executor.execute(TestAttempt.of(spec));
  }

  public Failure failure(ExecutorSpec spec) {
    return failure(TestAttempt.of(spec));
  }

  public Failure failure(TestAttempt attempt) {
    Throwable thrown = catchThrowable(() -> executor.execute(attempt));
    if (thrown instanceof AttemptException failed) {
      return failed.failure();
    }
    throw new AssertionError("expected a failure, got " + thrown, thrown);
  }

  /** On a thread of its own, which the test may interrupt. */
  Background inBackground(TestAttempt attempt) {
    var ended = new CompletableFuture<Throwable>();
    Thread thread = Thread.ofVirtual().start(() -> {
      Throwable thrown = catchThrowable(() -> executor.execute(attempt));
      ended.complete(thrown == null ? new AssertionError("it succeeded") : thrown);
    });
    return new Background(thread, ended);
  }

  record Background(Thread thread, CompletableFuture<Throwable> thrown) {}

  @Override
  public void close() {
    outbound.close();
  }
}
