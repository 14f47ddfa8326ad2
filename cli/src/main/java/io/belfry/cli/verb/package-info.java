/**
 * What all verbs have in common.
 *
 * <pre>
 *   Surroundings (clock, variables, streams, screen)
 *        │
 *        ▼
 *   Verb ──▶ Connection: which server, which token ──▶ BelfryClient
 *        └─▶ Look: table, json or yaml; colours; times ──▶ Report
 * </pre>
 *
 * Law: a token goes only to the server that it was meant for.
 */
@NullMarked
package io.belfry.cli.verb;

import org.jspecify.annotations.NullMarked;
