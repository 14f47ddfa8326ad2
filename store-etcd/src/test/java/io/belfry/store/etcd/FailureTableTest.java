package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.StoreException;
import io.belfry.store.etcd.Failure.Kind;
import io.grpc.Status;
import io.grpc.Status.Code;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailureTableTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UNAUTHENTICATED    | etcdserver: invalid auth token                                         | UNAUTHENTICATED",
        "INVALID_ARGUMENT   | etcdserver: revision of auth store is old                              | UNAUTHENTICATED",
        "INVALID_ARGUMENT   | etcdserver: user name is empty                                         | UNAUTHENTICATED",
        "NOT_FOUND          | etcdserver: requested lease not found                                  | LEASE_ENDED",
        "INVALID_ARGUMENT   | etcdserver: request is too large                                       | TOO_LARGE",
        "INVALID_ARGUMENT   | etcdserver: too many operations in txn request                         | TOO_LARGE",
        "RESOURCE_EXHAUSTED | grpc: received message larger than max (3 vs. 2)                       | TOO_LARGE",
        "RESOURCE_EXHAUSTED | gRPC message exceeds maximum size 100: 101                             | ANSWER_TOO_LARGE",
        "OUT_OF_RANGE       | etcdserver: mvcc: required revision has been compacted                 | COMPACTED",
        "RESOURCE_EXHAUSTED | etcdserver: mvcc: database space exceeded                              | FULL",
        "RESOURCE_EXHAUSTED | etcdserver: too many requests                                          | OVERLOADED",
        "INVALID_ARGUMENT   | etcdserver: authentication failed, invalid user ID or password         | DENIED",
        "PERMISSION_DENIED  | etcdserver: permission denied                                          | DENIED",
        "INVALID_ARGUMENT   | etcdserver: duplicate key given in txn request                         | DENIED",
        "FAILED_PRECONDITION| etcdserver: authentication is not enabled                              | DENIED",
        "UNIMPLEMENTED      | unknown service                                                        | DENIED",
        "DATA_LOSS          | etcdserver: corrupt cluster                                            | DAMAGED",
        "UNAVAILABLE        | etcdserver: request timed out                                          | UNKNOWN",
        "UNAVAILABLE        | etcdserver: request timed out, possibly due to previous leader failure | UNKNOWN",
        "UNAVAILABLE        | etcdserver: request timed out, possibly due to connection lost         | UNKNOWN",
        "UNAVAILABLE        | etcdserver: leader changed                                             | UNKNOWN",
        "UNAVAILABLE        | etcdserver: no leader                                                  | UNKNOWN",
        "UNAVAILABLE        | etcdserver: server stopped                                             | UNKNOWN",
        "UNAVAILABLE        | Network closed for unknown reason                                      | UNKNOWN",
        "DEADLINE_EXCEEDED  | deadline exceeded after 5s                                             | UNKNOWN",
        "CANCELLED          | io.grpc.Context was cancelled                                          | UNKNOWN",
        "INTERNAL           | RST_STREAM closed stream                                               | UNKNOWN",
        "UNKNOWN            | raft: stopped                                                          | UNKNOWN",
      })
  void what_was_sent_is_certainly_not_done_only_where_etcd_says_so(
      Code code, String text, Kind kind) {
    assertThat(classify(code, text, true).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @EnumSource(value = Code.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
  void what_never_left_was_certainly_not_done(Code code) {
    assertThat(classify(code, "whatever", false).kind()).isEqualTo(Kind.NOT_SENT);
    assertThat(classify(code, "whatever", false).asException())
        .isInstanceOf(StoreException.Unavailable.class);
  }

  @Test
  void callers_hear_unknown_for_exactly_the_unknown() {
    for (Kind kind : Kind.values()) {
      StoreException heard = new Failure(kind, Status.UNAVAILABLE, "h:1").asException();
      assertThat(heard instanceof StoreException.Unknown).isEqualTo(kind == Kind.UNKNOWN);
      // Overload is told to everybody who asks, and names no member.
      assertThat(String.valueOf(heard.getMessage()).contains("h:1"))
          .isEqualTo(kind != Kind.OVERLOADED);
    }
  }

  @Test
  void the_kinds_have_the_types_that_callers_act_on() {
    assertThat(exception(Kind.FULL)).isInstanceOf(StoreException.Full.class);
    // Not overload, which is that of this process and says nothing about the engine.
    assertThat(exception(Kind.OVERLOADED)).isInstanceOf(StoreException.Unavailable.class);
    assertThat(exception(Kind.DENIED)).isInstanceOf(StoreException.Denied.class);
    assertThat(exception(Kind.DAMAGED)).isInstanceOf(StoreException.Damaged.class);
  }

  @Test
  void a_handshake_that_failed_is_a_matter_of_settings() {
    Status status = Status.UNAVAILABLE.withCause(new SSLHandshakeException("bad certificate"));
    assertThat(FailureTable.classify(status, false, "h:1").asException())
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("etcd.ca");
  }

  private static Failure classify(Code code, String text, boolean sent) {
    return FailureTable.classify(code.toStatus().withDescription(text), sent, "h:1");
  }

  private static StoreException exception(Kind kind) {
    return new Failure(kind, Status.INTERNAL, "h:1").asException();
  }
}
