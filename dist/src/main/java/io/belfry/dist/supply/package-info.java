/**
 * The SBOM of the program, and published security advisories for its packages.
 *
 * <pre>
 *   Maven (CycloneDX plugin) ──▶ META-INF/sbom/belfry.json ─┐
 *   ui/build.mjs (lock file) ──▶ META-INF/sbom/ui.json ─────┴▶ Sbom ──▶ belfry sbom
 *                                          advisories.json ───▶ Advisories ──▶ belfry advisories
 * </pre>
 *
 * <p>Law: both work without a network, on the jar that runs.
 */
@NullMarked
package io.belfry.dist.supply;

import org.jspecify.annotations.NullMarked;
