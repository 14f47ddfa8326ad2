package io.belfry.executors.http;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The response of a target.
 *
 * @param body the part that was read
 * @param isCut whether the body was longer
 */
record Answer(int status, String reason, HttpFields headers, byte[] body, boolean isCut) {

  /** The reason phrase of the server, or else the standard one for the status. */
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
