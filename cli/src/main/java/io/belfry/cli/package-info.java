/**
 * The command-line client: one class per verb.
 *
 * <pre>
 *   Main ──▶ picocli ──▶ verb ──▶ client ──▶ server
 *     │                    │
 *     │                    └─▶ show (table · json · yaml)
 *     └─ ErrorHandler ──▶ stderr, exit code 1 (invalid command line: 2)
 *
 *   job · task · cluster · access · calendar   the verbs
 *   verb                                       base class and options that all verbs share
 *   show                                       formats responses for terminals and programs
 * </pre>
 *
 * Law: standard output carries the result and nothing else.
 */
@NullMarked
package io.belfry.cli;

import org.jspecify.annotations.NullMarked;
