/**
 * Jobs, tasks and the rest as JSON, both ways.
 *
 * <pre>
 *   request ──▶ Fields ──▶ Job, Submission, Calendar …        answer ◀── JobForm, TaskForm …
 *                 └─ a wrong type, an unknown field: refused with the whole way to it
 * </pre>
 *
 * <p>Law: what is written here can be read here; what cannot be read leaves nothing behind.
 */
@NullMarked
package io.belfry.server.form;

import org.jspecify.annotations.NullMarked;
