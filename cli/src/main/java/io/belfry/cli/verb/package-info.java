/**
 * What all verbs have in common.
 *
 * <pre>
 *   Surroundings (clock, variables, streams, screen)
 *        │
 *        ▼
 *   Verb ──▶ Connection: which server, which token ──▶ BelfryClient
 *        │        └─ DataDirectory: what may be believed of a folder
 *        └─▶ Look: table, json or yaml; colours; times ──▶ Report
 * </pre>
 *
 * Law: a token goes only to the server that it was meant for, and what a server says reaches the screen through Report only.
 */
@NullMarked
package io.belfry.cli.verb;

import org.jspecify.annotations.NullMarked;
