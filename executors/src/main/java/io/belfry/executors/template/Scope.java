package io.belfry.executors.template;

import io.belfry.executors.secret.Secrets;
import io.belfry.model.time.Time;

/**
 * What the executors of one namespace share.
 *
 * @param secrets those of this namespace only
 */
public record Scope(String namespace, Secrets secrets, Time time) {}
