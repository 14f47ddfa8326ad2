/**
 * What the program is made of, and what is known about it.
 *
 * <pre>
 *   Maven (CycloneDX plugin) ──▶ META-INF/sbom/belfry.json ─┐
 *   ui/build.mjs (lock file) ──▶ META-INF/sbom/ui.json ─────┴▶ Sbom ──▶ belfry sbom
 *                                          advisories.json ───▶ Advisories ──▶ belfry advisories
 * </pre>
 *
 * <p>Law: both work without a network, on the very jar that runs.
 */
@NullMarked
package io.belfry.dist.supply;

import org.jspecify.annotations.NullMarked;
