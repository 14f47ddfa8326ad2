/**
 * Who may do what, and who did.
 *
 * <pre>
 *   request ──▶ token · session ──▶ Principal (role, namespace) ──▶ the route's permission ──▶ handler
 *                  │                                                                          │
 *                  └─ hashes in the store of the system namespace, followed by every node     └──▶ Audit
 * </pre>
 *
 * <p>Law: no secret leaves this package in the form in which it was given, but to the executor that needs it.
 */
@NullMarked
package io.belfry.server.access;

import org.jspecify.annotations.NullMarked;
