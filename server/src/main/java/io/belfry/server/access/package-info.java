/**
 * Authentication, authorization (RBAC) and the audit log.
 *
 * <pre>
 *   request ──▶ token · session ──▶ Principal (role, namespace) ──▶ the route's permission ──▶ handler
 *                  │                                                                          │
 *                  └─ hashes in the store of the system namespace, watched by every node      └──▶ Audit
 * </pre>
 *
 * <p>Law: no secret leaves this package in plain text, except to the executor that needs it.
 */
@NullMarked
package io.belfry.server.access;

import org.jspecify.annotations.NullMarked;
