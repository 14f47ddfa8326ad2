/**
 * JSON as trees: of payloads, bodies and answers.
 *
 * <p>Law: numbers keep every digit that they came with, and no type is ever named by the text.
 */
@NullMarked
package io.belfry.executors.json;

import org.jspecify.annotations.NullMarked;
