package io.belfry.client;

import tools.jackson.databind.JsonNode;

/** Manages calendars: the days on which jobs may fire. Threading: safe. */
public final class Calendars {
  private final Transport transport;
  private final String root;

  Calendars(Transport transport, String namespace) {
    this.transport = transport;
    this.root = namespace + "/calendars";
  }

  private String calendar(String name) {
    return root + "/" + Call.part(name);
  }

  /** All calendars, as {@code items}. */
  public JsonNode list() {
    return Pages.whole(transport, Call.get(root));
  }

  public JsonNode get(String name) {
    return transport.send(Call.get(calendar(name))).json();
  }

  public JsonNode put(String name, JsonNode calendar) {
    return transport.send(Call.put(calendar(name), calendar)).json();
  }

  /** Deletes a calendar; refused with 409 while a job uses it. */
  public void delete(String name) {
    transport.send(Call.delete(calendar(name)));
  }
}
