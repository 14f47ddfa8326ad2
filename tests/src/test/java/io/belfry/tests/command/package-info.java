/**
 * The command line against a real server: docs/cli.md shows what it prints.
 *
 * <pre>
 *   docs/cli.md ──commands──▶ CliPageTest ──▶ io.belfry.cli.Main ──REST──▶ server, Redis, two workers (Installation)
 *        ▲                        └── PageShape: what differs from run to run does not count
 *        └───────── compared, or written anew with -Dbelfry.docs=write
 * </pre>
 *
 * Law: the page shows nothing that no server has answered.
 */
@NullMarked
package io.belfry.tests.command;

import org.jspecify.annotations.NullMarked;
