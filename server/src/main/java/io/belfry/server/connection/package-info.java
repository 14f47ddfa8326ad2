/**
 * Client connections: limits on their number and on slow clients.
 *
 * <pre>
 *   accept ──▶ GuardedConnector ──▶ MeteredEndPoint (bytes in, bytes out)
 *                                        │
 *                                   Connections ──▶ ConnectionSlots (limits, eviction)
 *                                        ▲    └───▶ ClosedConnections (counted, logged)
 *   request ─▶ MeteredRequest ───────────┘
 *              (head complete, waiting for the body, complete)
 *   response ▶ Exchange (reserved connection? rest of a refused body; last byte written)
 * </pre>
 *
 * <p>Law: a client that sends or reads too slowly loses its connection within a bounded time, and never uses up the connections of health checks.
 */
@NullMarked
package io.belfry.server.connection;

import org.jspecify.annotations.NullMarked;
