/**
 * The verbs of calendars.
 *
 * <pre>
 *   files ──▶ Documents ──▶ calendar apply ──▶ one call for each
 * </pre>
 *
 * Law: one that is refused does not keep the others from being saved.
 */
@NullMarked
package io.belfry.cli.calendar;

import org.jspecify.annotations.NullMarked;
