/**
 * A stand-in for the server, for looking at the interface and for the browser tests: serves the built files under the
 * content policy of the real server, and answers the API from a sample in memory. Node alone, no dependency.
 *
 *   node dev/server.mjs [--port 8090]        prints the address with a login link
 *
 * A development aid: nothing of it is in the jar.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer, newInstallation } from './api.mjs';

const BUILT = fileURLToPath(new URL('../target/classes/ui/', import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.json': 'application/json' };
const policy = (nonce) => `default-src 'self'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

function serveFile(request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
  const file = join(BUILT, path);
  const isFile = file.startsWith(BUILT) && existsSync(file) && statSync(file).isFile();
  if (!isFile && path.startsWith('/assets/')) {
    response.writeHead(404).end();
    return;
  }
  // Every other address is a page, and pages are made in the browser.
  const sent = isFile ? file : join(BUILT, 'index.html');
  const nonce = randomUUID();
  response.writeHead(200, {
    'Content-Type': TYPES[extname(sent)] ?? 'application/octet-stream',
    'Content-Security-Policy': policy(nonce),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
  });
  response.end(sent.endsWith('.html') ? readFileSync(sent, 'utf8').replace('__STYLE_NONCE__', nonce) : readFileSync(sent));
}

/** Starts one; resolves when it listens. `port` 0 takes a free one. */
export async function start(port = 0, options = {}) {
  if (!existsSync(join(BUILT, 'index.html'))) {
    throw new Error('The interface is not built. Run "npm run build" first.');
  }
  const installation = newInstallation(options);
  const server = createServer((request, response) => {
    if (request.url.startsWith('/api/')) {
      answer(installation, request, response).catch((thrown) => {
        console.error(thrown);
        response.destroy();
      });
    } else {
      serveFile(request, response);
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${server.address().port}`;
  const stop = () => {
    installation.stop();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  const linkFor = (role) => `${url}/login#code=${installation.newCode(role)}`;
  return { url, installation, linkFor, stop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--port');
  const { url, linkFor } = await start(at < 0 ? 8090 : Number(process.argv[at + 1]));
  console.log(`Open ${linkFor('admin')}`);
  console.log(`or sign in at ${url} with the token admin, developer, operator or viewer.`);
}
