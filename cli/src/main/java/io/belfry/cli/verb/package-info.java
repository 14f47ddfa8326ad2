/**
 * Base class and options that all verbs share.
 *
 * <pre>
 *   VerbContext (clock, variables, streams, screen)
 *        │
 *        ▼
 *   Verb ──▶ ConnectionOptions: server, token, namespace ──▶ BelfryClient
 *        │        └─ DataDirectory: which files of a folder are trusted
 *        └─▶ OutputOptions: table, json or yaml; colors; times ──▶ Printer
 * </pre>
 *
 * Law: a token is only sent to the server it is for, and text from a server reaches the terminal only through Printer.
 */
@NullMarked
package io.belfry.cli.verb;

import org.jspecify.annotations.NullMarked;
