/**
 * What an operator may set, and how it is read.
 *
 * <pre>
 *   defaults ──▶ file (YAML) ──▶ variables BELFRY_… ──▶ flags, --set ──▶ Config ──▶ the program
 *                   the later one wins; Catalogue is the list of all keys, from which the documentation is printed
 * </pre>
 *
 * <p>Law: a key that is not known, or a value that cannot be read, stops the start; nothing is corrected silently.
 */
@NullMarked
package io.belfry.server.config;

import org.jspecify.annotations.NullMarked;
