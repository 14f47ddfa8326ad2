/**
 * The web interface in a browser: the tests of {@code ui/e2e}, each as a test here.
 *
 * <pre>
 *   BrowserTest ── node ui/e2e/all.test.mjs ──▶ chromium ──▶ the built jar, and a stand-in for what is rare
 *        ▲                    │
 *        └── one line each ───┘
 * </pre>
 *
 * <p>Law: never skipped; without a browser they fail and say what to install.
 */
@NullMarked
package io.belfry.tests.browser;

import org.jspecify.annotations.NullMarked;
