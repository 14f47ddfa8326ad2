package io.belfry.server.config;

import java.util.List;
import java.util.Map;

/** Settings of executors, a part of {@link SettingsCatalog}. Threading: immutable. */
public final class ExecutorSettings {
  private ExecutorSettings() {}

  public static final Setting<Boolean> HTTP_ENABLED = Setting.of(
      "executors.http.enabled", Kind.SWITCH, true, "Enable HTTP calls on this node's worker.");
  public static final Setting<List<String>> HTTP_ALLOW = Setting.of(
      "executors.http.allow",
      Kind.LIST,
      List.of(),
      "Egress allow rules for HTTP calls: networks, host patterns and ports. Empty: all destinations that no deny rule matches.");
  public static final Setting<List<String>> HTTP_DENY = Setting.of(
      "executors.http.deny",
      Kind.LIST,
      List.of(),
      "Egress deny rules for HTTP calls. They override allow rules.");
  public static final Setting<Map<String, List<String>>> HTTP_NAMESPACE_ALLOW = Setting.of(
      "executors.http.namespaceAllow",
      Kind.LISTS,
      Map.of(),
      "Additional egress allow rules for single namespaces, besides executors.http.allow.");
  public static final Setting<Map<String, List<String>>> HTTP_NAMESPACE_DENY = Setting.of(
      "executors.http.namespaceDeny",
      Kind.LISTS,
      Map.of(),
      "Additional egress deny rules for single namespaces, besides executors.http.deny.");
  public static final Setting<String> HTTP_AUTHORITY = Setting.unset(
      "executors.http.authority",
      Kind.TEXT,
      "PEM file with CA certificates to trust for HTTPS calls, besides those of the JDK.");
  public static final Setting<Boolean> SCRIPT_ENABLED = Setting.of(
      "executors.script.enabled", Kind.SWITCH, false, "Enable scripts on this node's worker.");
  public static final Setting<Map<String, String>> SCRIPT_INTERPRETERS = Setting.of(
      "executors.script.interpreters",
      Kind.MAP,
      Map.of("bash", "/bin/bash", "python3", "/usr/bin/python3", "node", "/usr/bin/node"),
      "Interpreters that scripts may use: names and the path of each program.");
  public static final Setting<List<String>> SCRIPT_NAMESPACES = Setting.of(
      "executors.script.namespaces",
      Kind.LIST,
      List.of("default"),
      "Namespaces whose tasks may run scripts on this node; * for all. Tasks of other namespaces are rejected.");
  public static final Setting<String> SCRIPT_USER = Setting.unset(
      "executors.script.user",
      Kind.TEXT,
      "Operating system user that runs scripts; requires a server that runs as root. Unset: the user of the server, so that scripts can read its files.");
  public static final Setting<String> SCRIPT_DIRECTORY = Setting.unset(
      "executors.script.directory",
      Kind.TEXT,
      "Parent of the working directories of scripts; each script gets its own. Must not be inside the data directory. Unset: a directory below the system's temporary directory.");
  public static final Setting<List<String>> TYPES = Setting.of(
      "executors.types",
      Kind.LIST,
      List.of(),
      "Executor types that workers in other programs provide, besides http, local and script. Jobs and tasks of any other type are refused.");
  public static final Setting<String> HANDLERS = Setting.of(
      "handlers.directory",
      Kind.TEXT,
      "handlers",
      "Directory with jars of Java handlers. A relative path is below the data directory.");

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
