/**
 * The real server: the built jar on a free port of loopback, in a folder of its own that is gone afterwards.
 *
 * It takes the JDK of JAVA_HOME, which Maven and the launcher set, else the java on the PATH.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const JAR = process.env.BELFRY_JAR ?? fileURLToPath(new URL('../../dist/target/belfry.jar', import.meta.url));
const JAVA = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java';
const STARTED_WITHIN_MS = 90_000;
const NS = '/api/v1/namespaces/default';

export async function startBelfry() {
  if (!existsSync(JAR)) {
    throw new Error(`The program is not built: there is no ${JAR}. Run "mvn -DskipTests -pl dist -am package" first.`);
  }
  const data = mkdtempSync(join(tmpdir(), 'belfry-e2e-'));
  const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx512m', '--enable-native-access=ALL-UNNAMED'];
  const settings = ['executors.script.enabled=true', 'worker.capacity=4', 'node.name=bell', 'server.stopPatience=1s', 'limit.loginRate=100'];
  const server = spawn(JAVA, [...options, '-jar', JAR, 'server', '--port', '0', '--data', data, ...settings.flatMap((each) => ['--set', each])], { stdio: ['ignore', 'pipe', 'pipe'] });
  // Whatever becomes of the tests, no server stays behind.
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const over = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    const timer = setTimeout(kill, 15_000);
    await over;
    clearTimeout(timer);
    process.off('exit', kill);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const announced = await announcement(server, over);
    const url = /listens on (\S+)/.exec(announced)[1];
    const firstLink = /(\S+\/login#code=\S+)/.exec(announced)[1];
    return { url, firstLink, stop, ...talk(url, readFileSync(join(data, 'admin.token'), 'utf8').trim()) };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** What it prints up to its login link. */
function announcement(server, over) {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The server did not start within ${STARTED_WITHIN_MS / 1_000} s:\n${said}`)), STARTED_WITHIN_MS);
    void over.then((code) => reject(new Error(`The server ended with ${code}:\n${said}`))).finally(() => clearTimeout(timer));
    const hear = (line) => {
      said += `${line}\n`;
      if (line.includes('/login#code=')) {
        clearTimeout(timer);
        resolve(said);
      }
    };
    createInterface({ input: server.stdout }).on('line', hear);
    createInterface({ input: server.stderr }).on('line', hear);
  });
}

/** The API, as programs use it. */
function talk(url, admin) {
  const tokens = new Map([['admin', admin]]);
  async function call(method, path, body, token = admin) {
    const answer = await fetch(url + path, { method, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  }
  async function tokenFor(role) {
    if (!tokens.has(role)) {
      tokens.set(role, (await call('POST', `${NS}/tokens`, { name: `a ${role}`, role })).token);
    }
    return tokens.get(role);
  }
  return {
    tokenFor,
    linkFor: async (role) => (await call('POST', '/api/v1/login-links', undefined, await tokenFor(role))).url,
    ask: (path) => call('GET', NS + path),
    put: (path, body) => call('PUT', NS + path, body),
    post: (path, body) => call('POST', NS + path, body),
    anywhere: call,
  };
}
