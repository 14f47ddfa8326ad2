package io.belfry.executors.http;

/** What can go wrong with a call that has no acceptable status. */
enum CallFailure {
  /** Nobody was reached: no such name, nobody there, no agreement on TLS. */
  CONNECT,
  /** It took too long. */
  TIMEOUT,
  /** The connection ended, or what came was no HTTP, before the answer was complete. */
  BROKEN,
  /** The status was right, and the rest of the answer not what the job calls a success. */
  ANSWER
}
