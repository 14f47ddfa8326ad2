/**
 * The verbs of namespaces, tokens, secrets and the audit log.
 *
 * <pre>
 *   token create ──▶ the token on standard output, messages on standard error
 *   secret put   ◀── a file or a prompt, never an argument
 * </pre>
 *
 * Law: no command prints the value of a secret.
 */
@NullMarked
package io.belfry.cli.access;

import org.jspecify.annotations.NullMarked;
