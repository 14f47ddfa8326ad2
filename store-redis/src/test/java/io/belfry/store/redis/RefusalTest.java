package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisDataException;

/** Every word of Redis is taken for what it means, as Redis 7 says it and as older ones wrap it. */
class RefusalTest {
  private static Refusal of(String message) {
    return Refusal.of(new JedisDataException(message));
  }

  private static StoreException causeOf(String message) {
    return ((Refusal.Final) of(message)).cause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MOVED 866 127.0.0.1:7001",
        "ASK 866 127.0.0.1:7001",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "CLUSTERDOWN The cluster is down",
        "READONLY You can't write against a read only replica. script: abc, on @user_script:31.",
        "ERR Error running script (call to f_1): @user_script:31: -READONLY You can't write against a read only replica.",
        "LOADING Redis is loading the dataset in memory",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "NOREPLICAS Not enough good replicas to write.",
        "BUSY Redis is busy running a script.",
        "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
      })
  void not_here_or_not_now_is_asked_again(String message) {
    assertThat(of(message)).isInstanceOf(Refusal.Elsewhere.class);
  }

  @Test
  void a_script_that_is_gone_is_loaded() {
    assertThat(of("NOSCRIPT No matching script.")).isInstanceOf(Refusal.Reload.class);
  }

  @Test
  void a_right_that_is_missing_inside_a_script_is_told_from_one_that_is_missing_before_it() {
    assertThat(of("WRONGPASS invalid username-password pair or user is disabled."))
        .isInstanceOfSatisfying(
            Refusal.NotPermitted.class, denied -> assertThat(denied.midway()).isFalse());
    assertThat(of("NOPERM this user has no permissions to run the 'evalsha' command"))
        .isInstanceOfSatisfying(
            Refusal.NotPermitted.class, denied -> assertThat(denied.midway()).isFalse());
    assertThat(
            of(
                "NOPERM this user has no permissions to run the 'xadd' command script: abc, on @user_script:200."))
        .isInstanceOfSatisfying(
            Refusal.NotPermitted.class, denied -> assertThat(denied.midway()).isTrue());
    assertThat(
            of(
                "ERR The user executing the script can't run this command or subcommand script: abc, on @user_script:181."))
        .isInstanceOfSatisfying(
            Refusal.NotPermitted.class, denied -> assertThat(denied.midway()).isTrue());
  }

  @Test
  void the_rest_is_for_good() {
    assertThat(causeOf("OOM command not allowed when used memory > 'maxmemory'. script: abc"))
        .isInstanceOf(StoreException.Full.class);
    assertThat(causeOf(
            "ERR Error running script (call to f_1): @user_script:9: OOM command not allowed"))
        .isInstanceOf(StoreException.Full.class);
    assertThat(causeOf("MISCONF Errors writing to the AOF file: No space left on device"))
        .isInstanceOf(StoreException.Full.class);
    assertThat(causeOf("WRONGTYPE Operation against a key holding the wrong kind of value"))
        .isInstanceOf(StoreException.Damaged.class);
    assertThat(causeOf("ERR something new")).isInstanceOf(StoreException.Unknown.class);
  }
}
