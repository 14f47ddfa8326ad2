import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HOME = fileURLToPath(new URL('..', import.meta.url));

function files(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => files(join(path, name))) : [path];
}

/** Every source file with its text, for the tests that read the code. */
export const sources = files(join(HOME, 'src')).map((path) => ({ path: path.slice(HOME.length), text: readFileSync(path, 'utf8') }));
export const code = sources.filter(({ path }) => /\.tsx?$/.test(path));
