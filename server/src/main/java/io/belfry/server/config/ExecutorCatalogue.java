package io.belfry.server.config;

import java.util.List;
import java.util.Map;

/** The keys of executors, by which {@link Catalogue} ends. Threading: immutable. */
public final class ExecutorCatalogue {
  private ExecutorCatalogue() {}

  public static final Setting<Boolean> HTTP_ENABLED = Setting.of(
      "executors.http.enabled",
      Kind.SWITCH,
      true,
      "Whether this node's worker calls HTTP services.");
  public static final Setting<List<String>> HTTP_ALLOW = Setting.of(
      "executors.http.allow",
      Kind.LIST,
      List.of(),
      "Where it may call: networks, host patterns, ports. Empty: wherever nothing forbids it.");
  public static final Setting<List<String>> HTTP_DENY = Setting.of(
      "executors.http.deny", Kind.LIST, List.of(), "Where it may not call, whatever is allowed.");
  public static final Setting<Map<String, List<String>>> HTTP_NAMESPACE_ALLOW = Setting.of(
      "executors.http.namespaceAllow",
      Kind.LISTS,
      Map.of(),
      "Where jobs of single namespaces may call, besides executors.http.allow.");
  public static final Setting<Map<String, List<String>>> HTTP_NAMESPACE_DENY = Setting.of(
      "executors.http.namespaceDeny",
      Kind.LISTS,
      Map.of(),
      "Where jobs of single namespaces may not call, besides executors.http.deny.");
  public static final Setting<String> HTTP_AUTHORITY = Setting.unset(
      "executors.http.authority",
      Kind.TEXT,
      "PEM file with certificates that are trusted besides those of the JDK.");
  public static final Setting<Boolean> SCRIPT_ENABLED = Setting.of(
      "executors.script.enabled", Kind.SWITCH, false, "Whether this node's worker runs scripts.");
  public static final Setting<Map<String, String>> SCRIPT_INTERPRETERS = Setting.of(
      "executors.script.interpreters",
      Kind.MAP,
      Map.of("bash", "/bin/bash", "python3", "/usr/bin/python3", "node", "/usr/bin/node"),
      "Names that scripts may ask for, and the program of each.");
  public static final Setting<List<String>> SCRIPT_NAMESPACES = Setting.of(
      "executors.script.namespaces",
      Kind.LIST,
      List.of("default"),
      "Namespaces whose tasks may run scripts on this node; * allows all. Tasks of other namespaces are rejected.");
  public static final Setting<String> SCRIPT_USER = Setting.unset(
      "executors.script.user",
      Kind.TEXT,
      "User of the machine as whom scripts run; needs a server that runs as root. Unset: the user of the server, whose files scripts can read then.");
  public static final Setting<String> SCRIPT_DIRECTORY = Setting.unset(
      "executors.script.directory",
      Kind.TEXT,
      "Directory in which each script gets a working directory of its own. It must not be below data. Unset: one in the system's directory for temporary files.");
  public static final Setting<List<String>> TYPES = Setting.of(
      "executors.types",
      Kind.LIST,
      List.of(),
      "Types of executors that workers of other programs have, beside http, local and script. Jobs and tasks of any other type are refused.");
  public static final Setting<String> HANDLERS = Setting.of(
      "handlers.directory",
      Kind.TEXT,
      "handlers",
      "Directory with jars of Java handlers, below data unless absolute.");

  static final List<Setting<?>> ALL = List.of(
      HTTP_ENABLED,
      HTTP_ALLOW,
      HTTP_DENY,
      HTTP_NAMESPACE_ALLOW,
      HTTP_NAMESPACE_DENY,
      HTTP_AUTHORITY,
      SCRIPT_ENABLED,
      SCRIPT_INTERPRETERS,
      SCRIPT_NAMESPACES,
      SCRIPT_USER,
      SCRIPT_DIRECTORY,
      TYPES,
      HANDLERS);
}
