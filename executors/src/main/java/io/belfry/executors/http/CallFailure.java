package io.belfry.executors.http;

/** Why a call failed, other than by its status. The names are the words of the setting retryOn. */
enum CallFailure {
  /** No connection: unknown host, connection refused, TLS handshake failed. */
  CONNECT,
  /** The call timed out. */
  TIMEOUT,
  /** The connection closed before the response was complete, or the response was not HTTP. */
  BROKEN,
  /** The status was a success, but the body did not match the success rule of the job. */
  ANSWER
}
