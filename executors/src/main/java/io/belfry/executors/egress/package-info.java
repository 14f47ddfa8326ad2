/**
 * Egress control (SSRF protection): decides where HTTP calls may go.
 *
 * <pre>
 *   URL ──▶ Target ──▶ HostLookup: all addresses ──▶ EgressRules: each address ──▶ CheckedAddresses ──▶ connect to exactly these
 *             │ ambiguous                              │ any one forbidden
 *             └──────────────▶ refused ◀───────────────┘
 * </pre>
 *
 * <p>Law: a connection is opened only to an address that was checked under the rules of the call. A host name is resolved
 * once per call, and every redirect is a call of its own.
 */
@NullMarked
package io.belfry.executors.egress;

import org.jspecify.annotations.NullMarked;
