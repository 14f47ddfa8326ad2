package io.belfry.client;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One event of a stream. Threading: immutable.
 *
 * @param id to resume after; empty if the event has none
 * @param type such as {@code taskCompleted}
 */
public record ServerEvent(Optional<String> id, String type, JsonNode data) {}
