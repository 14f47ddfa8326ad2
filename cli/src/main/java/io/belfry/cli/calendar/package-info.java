/**
 * The verbs of {@code belfry calendar}.
 *
 * <pre>
 *   files ──▶ Documents ──▶ calendar apply ──▶ one call per calendar
 * </pre>
 *
 * Law: a refused calendar does not stop the others from being saved.
 */
@NullMarked
package io.belfry.cli.calendar;

import org.jspecify.annotations.NullMarked;
