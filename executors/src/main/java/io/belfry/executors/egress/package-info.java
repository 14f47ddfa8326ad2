/**
 * Where calls may go.
 *
 * <pre>
 *   URL ──▶ Target: one spelling ──▶ Names: all addresses ──▶ EgressRules: each of them ──▶ Checked ──▶ connect to exactly these
 *                │ odd spelling                                  │ any one forbidden
 *                └──────────────▶ refused ◀──────────────────────┘
 * </pre>
 *
 * <p>Law: a connection is opened only to an address that was checked, under the rules that hold for the call; a name is looked up
 * once for each call, and every hop of a redirect is a call.
 */
@NullMarked
package io.belfry.executors.egress;

import org.jspecify.annotations.NullMarked;
