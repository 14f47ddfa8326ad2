/**
 * The command line: one class per verb.
 *
 * <pre>
 *   Main ──▶ picocli ──▶ verb ──▶ Output (table · json · yaml)
 *                          │
 *                          └─ Complaint ──▶ stderr, exit code 1 (usage: 2)
 * </pre>
 *
 * Law: what goes to standard output is the answer and nothing else.
 */
@NullMarked
package io.belfry.cli;

import org.jspecify.annotations.NullMarked;
