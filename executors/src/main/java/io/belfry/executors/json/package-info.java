/**
 * JSON trees of payloads, request bodies and responses.
 *
 * <p>Law: numbers keep all their digits, and the text never chooses a Java type.
 */
@NullMarked
package io.belfry.executors.json;

import org.jspecify.annotations.NullMarked;
