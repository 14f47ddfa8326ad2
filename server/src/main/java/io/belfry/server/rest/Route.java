package io.belfry.server.rest;

import io.javalin.http.HandlerType;

/**
 * One way in.
 *
 * @param name as in the OpenAPI document and the audit log
 * @param path with parameters in braces
 * @param cost what it takes to build its answer
 * @param frequent whether it comes so often that it is not written into the audit log: what it makes tells of itself
 */
record Route(
    String name,
    HandlerType method,
    String path,
    Permission permission,
    Cost cost,
    boolean frequent,
    Handling handling) {

  /** Carries a request out. */
  @FunctionalInterface
  interface Handling {
    Answer handle(Call call) throws Exception;
  }

  /** Whether it changes anything: then it is audited, and a session must prove that its own page asks. */
  boolean changes() {
    return !method.equals(HandlerType.GET);
  }

  boolean isAudited() {
    return changes() && !frequent;
  }

  /** The same, of which there are too many to be written down. */
  Route often() {
    return new Route(name, method, path, permission, cost, true, handling);
  }

  /** The same, with an answer that takes more or less than usual. */
  Route costs(Cost other) {
    return new Route(name, method, path, permission, other, frequent, handling);
  }

  static Route get(String name, String path, Permission permission, Handling handling) {
    return new Route(name, HandlerType.GET, path, permission, Cost.SMALL, false, handling);
  }

  static Route post(String name, String path, Permission permission, Handling handling) {
    return new Route(name, HandlerType.POST, path, permission, Cost.SMALL, false, handling);
  }

  static Route put(String name, String path, Permission permission, Handling handling) {
    return new Route(name, HandlerType.PUT, path, permission, Cost.SMALL, false, handling);
  }

  static Route patch(String name, String path, Permission permission, Handling handling) {
    return new Route(name, HandlerType.PATCH, path, permission, Cost.SMALL, false, handling);
  }

  static Route delete(String name, String path, Permission permission, Handling handling) {
    return new Route(name, HandlerType.DELETE, path, permission, Cost.SMALL, false, handling);
  }
}
