package io.belfry.executors.http;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/**
 * What a target answered.
 *
 * @param body as much of it as was read
 * @param isCut whether there was more
 */
record Answer(int status, String reason, HttpFields headers, byte[] body, boolean isCut) {

  /** In words: what the server said, or what the status means. */
  String words() {
    if (!reason.isBlank()) {
      return reason;
    }
    String meaning = HttpStatus.getMessage(status);
    return meaning.equals(String.valueOf(status)) ? "" : meaning;
  }

  String header(HttpHeader name) {
    String value = headers.get(name);
    return value == null ? "" : value;
  }
}
