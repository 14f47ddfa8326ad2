package io.belfry.executors.http;

/** What completes an attempt. */
enum Completion {
  /** The response. */
  RESPONSE,
  /** The callback. */
  CALLBACK,
  /** The callback if the response is 202, otherwise the response. */
  AUTO
}
