/**
 * Connections of clients: how many there may be, and how slow each may be.
 *
 * <pre>
 *   accept ──▶ GuardedConnector ──▶ MeteredEndPoint (bytes in, bytes out)
 *                                        │
 *                                   Connections ──▶ ConnectionSlots (limits, which one to evict)
 *                                        ▲    └───▶ ClosedConnections (counted, logged)
 *   request ─▶ MeteredRequest ───────────┘
 *              (head complete, waits for the body, complete)
 *   answer ──▶ Exchange (on the reserve? what is left of a refused body; when the last byte was written)
 * </pre>
 *
 * <p>Law: a client that sends or reads too slowly loses its connection within a bounded time, and never takes the place of a health check.
 */
@NullMarked
package io.belfry.server.connection;

import org.jspecify.annotations.NullMarked;
