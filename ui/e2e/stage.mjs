/** What every browser test needs: a server, a browser, and a page that tells of every error. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { start } from '../dev/server.mjs';
import { launch } from './browser.mjs';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 380, height: 800 };

let launched;

/** The one browser of all tests. Without one they fail, and say what to install. */
export function browser() {
  launched ??= launch();
  return launched;
}

after(async () => {
  await (await launched?.catch(() => undefined))?.close();
});

/** A stand-in for all tests of a suite. */
export function stage(options) {
  const on = {};
  before(async () => {
    on.stand = await start(0, options);
    on.browser = await browser();
  });
  after(() => on.stand?.stop());
  return on;
}

// The browser itself notes every refused request; the tests that ask for refusals expect exactly these.
const NOTED_REFUSAL = /^Failed to load resource: the server responded with a status of (401|403|404|409)/;

/** Opens a page of its own; `signedIn` false leaves it at the door. Closes it, and judges what it said, after the work. */
export async function visit(on, { viewport = DESKTOP, role = 'admin', signedIn = true, locale = 'en-US', ...more } = {}, work) {
  const context = await on.browser.newContext({ viewport, locale, timezoneId: 'Asia/Shanghai', ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const wrong = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !NOTED_REFUSAL.test(message.text())) {
      wrong.push(message.text());
    }
  });
  page.on('pageerror', (thrown) => wrong.push(String(thrown)));
  page.on('request', (request) => {
    if (!request.url().startsWith(on.stand.url) && !request.url().startsWith('blob:') && !request.url().startsWith('data:')) {
      wrong.push(`asked elsewhere: ${request.url()}`);
    }
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  try {
    if (signedIn) {
      await page.goto(await on.stand.linkFor(role));
      await page.getByRole('table').first().waitFor();
    }
    await work(page);
    assert.deepEqual(wrong, [], 'the page reported errors, broke the policy or asked elsewhere');
  } finally {
    await context.close();
  }
}

export const taskIn = (on, state) => on.stand.installation.tasks.find((task) => task.state === state);
export const addressOf = (on, task) => `${on.stand.url}/ns/default/tasks/${encodeURIComponent(task.id)}`;
