package io.belfry.executors.http;

/** When a call is complete. */
enum Completion {
  /** When the target has answered. */
  RESPONSE,
  /** When the target has called back. */
  CALLBACK,
  /** When the target has called back, if it answered 202; else when it has answered. */
  AUTO
}
