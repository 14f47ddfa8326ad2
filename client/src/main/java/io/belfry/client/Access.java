package io.belfry.client;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Manages tokens, secrets, logins and the audit log. Threading: safe. */
public final class Access {
  private static final String COOKIE = "belfry=";
  private static final String SECURE_COOKIE = "__Host-belfry=";

  private final Transport transport;
  private final String namespace;

  Access(Transport transport, String namespace) {
    this.transport = transport;
    this.namespace = namespace;
  }

  /** Name, role and namespaces of the caller. */
  public JsonNode me() {
    return transport.send(Call.get(BelfryClient.API + "/me")).json();
  }

  /** The tokens that can access the namespace, as {@code items}; never their values. */
  public JsonNode tokens() {
    return Pages.whole(transport, Call.get(namespace + "/tokens"));
  }

  /**
   * Creates a token. Only this response contains its value.
   *
   * @param role viewer, operator, developer or admin
   * @param expiresIn such as {@code 30d}; empty: never
   */
  public JsonNode createToken(
      String name, String role, boolean allNamespaces, Optional<String> expiresIn) {
    ObjectNode body = Json.object().put("name", name).put("role", role);
    if (allNamespaces) {
      body.put("allNamespaces", true);
    }
    expiresIn.ifPresent(life -> body.put("expiresIn", life));
    return transport.send(Call.post(namespace + "/tokens").body(body)).json();
  }

  /** Revokes a token by its id; the id is not the token itself. */
  public void revokeToken(String id) {
    transport.send(Call.delete(namespace + "/tokens/" + Call.part(id)));
  }

  /** The tokens of all namespaces, as {@code items}. Requires the role admin in all namespaces. */
  public JsonNode allTokens() {
    return Pages.whole(transport, Call.get(BelfryClient.API + "/tokens"));
  }

  /** Revokes a token of any namespace, even a deleted one, by its id. Requires the role admin in all namespaces. */
  public void revokeAnyToken(String id) {
    transport.send(Call.delete(BelfryClient.API + "/tokens/" + Call.part(id)));
  }

  /** A one-time link that logs in to the web interface with the caller's rights: {@code url}, {@code expires}. */
  public JsonNode loginLink() {
    return transport.send(Call.post(BelfryClient.API + "/login-links")).json();
  }

  /**
   * A session of the web interface. Threading: immutable.
   *
   * @param cookie name and value as a request sends them; the name differs over TLS
   */
  public record Session(String cookie, String csrf, JsonNode me) {
    /** Without the cookie. */
    @Override
    public String toString() {
      return "Session[" + me.path("name").asString("") + "]";
    }
  }

  /** Starts a session with the code of a login link, which works once. */
  public Session login(String code) {
    Answer answer = transport.send(Call.post(BelfryClient.API + "/login")
        .body(Json.object().put("code", code))
        .withoutToken());
    String cookie = answer.headers().allValues("Set-Cookie").stream()
        .filter(set -> set.startsWith(COOKIE) || set.startsWith(SECURE_COOKIE))
        .map(set -> set.split(";", 2)[0])
        .findFirst()
        .orElse("");
    JsonNode me = answer.json();
    return new Session(cookie, me.path("csrf").asString(""), me);
  }

  public void logout(Session session) {
    transport.send(Call.post(BelfryClient.API + "/logout")
        .withoutToken()
        .header("Cookie", session.cookie())
        .header("Belfry-Csrf", session.csrf()));
  }

  /** The names of the stored secrets, as {@code items}; never their values. */
  public JsonNode secrets() {
    return Pages.whole(transport, Call.get(namespace + "/secrets"));
  }

  /**
   * Stores a secret.
   *
   * @param destinations where executors may send it: origins such as {@code https://billing.example.org}, {@code script}, or {@code *}
   */
  public void putSecret(String name, String value, List<String> destinations) {
    ObjectNode body = Json.object().put("value", value);
    destinations.forEach(body.putArray("destinations")::add);
    transport.send(Call.put(secret(name), body));
  }

  /**
   * Re-encrypts a batch of secrets of all namespaces with the first key of the server. Repeat with {@code next} of the response until it is
   * absent.
   */
  public JsonNode rotateSecrets(Optional<String> cursor) {
    return transport
        .send(Call.post(BelfryClient.API + "/secrets/rotate").with("cursor", cursor))
        .json();
  }

  public void deleteSecret(String name) {
    transport.send(Call.delete(secret(name)));
  }

  private String secret(String name) {
    return namespace + "/secrets/" + Call.part(name);
  }

  /** One page of the audit log, the newest entry first. */
  public Page audit(Optional<Integer> limit, Optional<String> cursor) {
    Call call = Call.get(namespace + "/audit").with("limit", limit).with("cursor", cursor);
    return new Page(transport.send(call).json());
  }

  /** The whole audit log; pages are fetched as they are read. */
  public Stream<JsonNode> auditAll(Optional<Integer> limit, Optional<String> cursor) {
    return Pages.from(cursor, at -> audit(limit, at));
  }
}
