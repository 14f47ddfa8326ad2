/**
 * How answers look.
 *
 * <pre>
 *   answer ──▶ Table ──▶ fits the terminal, cut with …    Width: how many columns a text takes
 *          ──▶ Card                                       Paint: colours, if they are wanted
 *          ──▶ Output (json · yaml), as the server said   When: times as people say them
 *                                                         Controls: what a terminal would obey
 * </pre>
 *
 * Law: what a server sent can never move the cursor, ring the bell or colour the screen.
 */
@NullMarked
package io.belfry.cli.show;

import org.jspecify.annotations.NullMarked;
