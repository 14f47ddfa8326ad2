/**
 * Builds the interface for Maven, if anything it is made of has changed: installs what the lock file names, then bundles.
 * What was built last is remembered by a hash in target/, so that a build in which nothing has changed takes no time.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOME = fileURLToPath(new URL('.', import.meta.url));
const TARGET = join(HOME, 'target');
const LOCKED = ['package.json', 'package-lock.json', '.npmrc'];
const SOURCES = [...LOCKED, 'index.html', 'vite.config.ts', 'tsconfig.json', 'build.mjs', 'src'];

function files(path) {
  const full = join(HOME, path);
  return statSync(full).isDirectory() ? readdirSync(full).sort().flatMap((name) => files(join(path, name))) : [path];
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(files)) {
    hash.update(path).update('\0').update(readFileSync(join(HOME, path))).update('\0');
  }
  return hash.digest('hex');
}

/**
 * What the lock file names, as a CycloneDX document for "belfry sbom". Packages that are only needed to build have the scope "excluded":
 * they are not in the bundle.
 */
function billOfMaterials() {
  const { packages } = JSON.parse(readFileSync(join(HOME, 'package-lock.json'), 'utf8'));
  const components = Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, found]) => component(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), found));
  const all = new Map(components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)).map((each) => [each['bom-ref'], each]));
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [...all.values()] }, null, 2)}\n`;
}

function component(name, { version, integrity, license, dev, optional, devOptional }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [group, bare] = name.startsWith('@') ? name.split('/') : ['', name];
  const [algorithm, digest] = (integrity ?? '').split('-');
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: bare,
    version,
    scope: dev || devOptional ? 'excluded' : optional ? 'optional' : 'required',
    ...(algorithm === 'sha512' && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    ...(license && { licenses: /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }] }),
    purl,
  };
}

const isDone = (stamp, hash, result) => existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

function npm(...words) {
  const { status, error } = spawnSync('npm', words, { cwd: HOME, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
  if (error) {
    console.error(`npm could not be started (${error.message}). The web interface is built with Node 20 or newer; install it.`);
  }
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

mkdirSync(TARGET, { recursive: true });
// Beside the modules, not in target/: "mvn clean" need not fetch them again.
const installed = join(HOME, 'node_modules', '.belfry-lock');
const locked = hashOf(LOCKED);
if (!isDone(installed, locked, join(HOME, 'node_modules', 'vite'))) {
  npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(installed, locked);
}
const built = join(TARGET, 'ui.built');
const sources = hashOf(SOURCES);
if (!isDone(built, sources, join(TARGET, 'classes', 'ui', 'index.html'))) {
  npm('run', '--silent', 'build', '--', '--logLevel', 'warn');
  writeFileSync(built, sources);
}
const bill = join(TARGET, 'classes', 'META-INF', 'sbom');
mkdirSync(bill, { recursive: true });
writeFileSync(join(bill, 'ui.json'), billOfMaterials());
