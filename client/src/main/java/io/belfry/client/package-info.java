/**
 * Java client for the REST API of a Belfry server.
 *
 * <pre>
 *   BelfryClient ──▶ jobs · tasks · workers · cluster · calendars · access · namespaces · server
 *                          │
 *                          ▼ Call (idempotent or not)
 *                      Transport ──▶ server A │ server B │ …     failover to the next one
 *                          │
 *                          └─ refused: ApiException   no response: UnreachableException
 *
 *   EventStream ──▶ StreamedBody ──▶ SseParser ──▶ ServerEvent     resumes after the last id
 * </pre>
 *
 * Law: a call that may have taken effect is not repeated unless it is idempotent, and is never reported as not done.
 */
@NullMarked
package io.belfry.client;

import org.jspecify.annotations.NullMarked;
