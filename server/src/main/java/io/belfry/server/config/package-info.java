/**
 * The settings of a server, and how they are read.
 *
 * <pre>
 *   defaults ──▶ file (YAML) ──▶ variables BELFRY_… ──▶ flags, --set ──▶ Config ──▶ the program
 *                   later sources override earlier ones; SettingsCatalog lists all keys, and the documentation is generated from it
 * </pre>
 *
 * <p>Law: an unknown key or an invalid value stops the start; nothing is corrected silently.
 */
@NullMarked
package io.belfry.server.config;

import org.jspecify.annotations.NullMarked;
