/**
 * Speaks to a Belfry server over REST.
 *
 * <pre>
 *   BelfryClient ──▶ jobs · tasks · workers · cluster · calendars · access · namespaces · server
 *                          │
 *                          ▼ Call (may it be repeated?)
 *                      Transport ──▶ server A │ server B │ …     the next one when one cannot be reached
 *                          │
 *                          └─ refused: ApiException   nobody there, or cut: UnreachableException
 *
 *   EventStream ──▶ Connection ──▶ SseParser ──▶ ServerEvent     resumed by the last id that was read
 * </pre>
 *
 * Law: what might have happened is never done twice, and never reported as if it had not happened.
 */
@NullMarked
package io.belfry.client;

import org.jspecify.annotations.NullMarked;
