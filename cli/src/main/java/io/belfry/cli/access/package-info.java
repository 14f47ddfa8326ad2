/**
 * The verbs of namespaces, tokens, secrets and the audit log.
 *
 * <pre>
 *   token create ──▶ the token on standard output, all else beside it
 *   secret put   ◀── a file or the keyboard, never an argument
 * </pre>
 *
 * Law: a secret goes in and never comes out.
 */
@NullMarked
package io.belfry.cli.access;

import org.jspecify.annotations.NullMarked;
