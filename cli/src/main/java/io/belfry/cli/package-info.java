/**
 * The command line: one class per verb.
 *
 * <pre>
 *   Main ──▶ picocli ──▶ verb ──▶ client ──▶ server
 *     │                    │
 *     │                    └─▶ show (table · json · yaml)
 *     └─ Complaints ──▶ stderr, exit code 1 (usage: 2)
 *
 *   job · task · cluster · access · calendar   the verbs
 *   verb                                       what they have in common
 *   show                                       how answers look
 * </pre>
 *
 * Law: what goes to standard output is the answer and nothing else.
 */
@NullMarked
package io.belfry.cli;

import org.jspecify.annotations.NullMarked;
