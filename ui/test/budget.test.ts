import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { HOME } from './sources';

const BUILT = join(HOME, 'target/classes/ui');
const BUDGET = 250_000;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
}

const zipped = (file: string) => gzipSync(readFileSync(join(BUILT, file))).length;

/** The files of an entry and of everything that it imports at once. */
function filesOf(manifest: Record<string, Chunk>, start: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[start]!;
  if (!seen.has(chunk.file)) {
    seen.add(chunk.file);
    chunk.css?.forEach((file) => seen.add(file));
    chunk.imports?.forEach((next) => filesOf(manifest, next, seen));
  }
  return seen;
}

describe.skipIf(!existsSync(BUILT))('what is built', () => {
  const manifest = () => JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as Record<string, Chunk>;

  test('costs at most 250 kB for the first page, its language included', () => {
    const all = manifest();
    const files = new Set<string>(['index.html']);
    for (const start of ['index.html', 'src/jobs/JobsPage.tsx', 'src/words/zh.ts']) {
      filesOf(all, start).forEach((file) => files.add(file));
    }
    const total = [...files].reduce((sum, file) => sum + zipped(file), 0);
    console.info(`first load: ${(total / 1000).toFixed(1)} kB gzip in ${files.size} files`);
    expect(total).toBeLessThanOrEqual(BUDGET);
  });

  test('loads every page but the first on demand', () => {
    const first = filesOf(manifest(), 'index.html');
    const eager = [...first].filter((file) => /(Jobs?|Tasks?|Workers|Cluster|Login)Page/.test(file));
    expect(eager).toEqual([]);
  });

  test('has a hash in the name of every asset, so that it can be kept for ever', () => {
    const plain = readdirSync(join(BUILT, 'assets')).filter((name) => !/-[\w-]{8}\.(js|css|svg)$/.test(name));
    expect(plain).toEqual([]);
  });

  test('has no inline script', () => {
    const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/<style/);
  });
});
