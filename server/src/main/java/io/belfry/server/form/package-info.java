/**
 * Conversion of jobs, tasks and other objects to JSON and back.
 *
 * <pre>
 *   request ──▶ Fields ──▶ Job, Submission, Calendar …        response ◀── JobForm, TaskForm …
 *                 └─ a wrong type, an unknown field: refused with the full path of the field
 * </pre>
 *
 * <p>Law: JSON written here can be read here; a document that cannot be read changes nothing.
 */
@NullMarked
package io.belfry.server.form;

import org.jspecify.annotations.NullMarked;
