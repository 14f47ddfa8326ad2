/**
 * Formats responses for terminals and programs.
 *
 * <pre>
 *   response ──▶ Table ──▶ fits the terminal, cut with …         Width: how many columns a text takes
 *            ──▶ Card                                            AnsiColors: colors, if enabled
 *            ──▶ OutputFormat (json · yaml), unchanged           TimeText: times
 *                                                                Controls: control characters
 * </pre>
 *
 * Law: text from a server can never move the cursor, ring the bell or change colors.
 */
@NullMarked
package io.belfry.cli.show;

import org.jspecify.annotations.NullMarked;
