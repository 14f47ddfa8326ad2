/**
 * Takes a picture of every page, in both languages, both color schemes and both widths, into target/pictures.
 *
 *   node dev/pictures.mjs [phone-dark] [--real] [--insecure]     --real: of the built jar instead of the stand-in
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startBelfry } from '../e2e/belfry.mjs';
import { launch } from '../e2e/browser.mjs';
import { fill } from '../e2e/contents.mjs';
import { start } from './server.mjs';

const isReal = process.argv.includes('--real');
const only = process.argv.slice(2).find((each) => !each.startsWith('--')) ?? '';
const OUT = fileURLToPath(new URL(`../target/pictures/${isReal ? 'real-' : ''}`, import.meta.url));
const WIDTHS = { desktop: { width: 1440, height: 900 }, phone: { width: 380, height: 800 } };

mkdirSync(fileURLToPath(new URL('../target/pictures/', import.meta.url)), { recursive: true });
const stand = isReal ? await startBelfry() : await start(0, { insecure: process.argv.includes('--insecure') });
const browser = await launch();
const tasks = isReal ? await realTasks() : standInTasks();
const PAGES = {
  jobs: '/ns/default/jobs',
  job: '/ns/default/jobs/nightly-invoices',
  ...(isReal ? { 'job-clocks': '/ns/default/jobs/clock-change' } : {}),
  tasks: '/ns/default/tasks',
  ...Object.fromEntries(Object.entries(tasks).map(([name, id]) => [`task-${name}`, `/ns/default/tasks/${encodeURIComponent(id)}`])),
  workers: '/ns/default/workers',
  cluster: '/ns/default/cluster',
  ...(isReal ? {} : { empty: '/ns/reports/jobs' }),
};

function standInTasks() {
  return Object.fromEntries(['running', 'failed'].map((state) => [state, stand.installation.tasks.find((task) => task.state === state).id]));
}

async function realTasks() {
  await fill(stand);
  const trigger = async (job) => (await stand.post(`/jobs/${job}/trigger`)).id;
  const cancelled = await trigger('count-on');
  const waits = (await stand.post('/tasks', { name: 'Tomorrow', in: '1d', executor: { type: 'local', handler: 'none' } })).id;
  const made = { running: await trigger('count-on'), failed: await trigger('import-orders'), succeeded: await trigger('nightly-invoices'), cancelled, waits };
  await stand.post(`/tasks/${encodeURIComponent(cancelled)}/cancel`, { reason: 'not wanted' });
  return made;
}

for (const [width, viewport] of Object.entries(WIDTHS)) {
  for (const scheme of ['light', 'dark']) {
    for (const language of ['en', 'zh-CN']) {
      const look = `${width}-${scheme}-${language}`;
      if (!look.includes(only)) {
        continue;
      }
      const context = await browser.newContext({ viewport, colorScheme: scheme, locale: language, timezoneId: 'Europe/Berlin' });
      const page = await context.newPage();
      await page.goto(`${stand.url}/login`);
      await page.locator('input[name=token]').waitFor();
      await page.screenshot({ path: `${OUT}${look}-login.png` });
      await page.goto(await stand.linkFor('admin'));
      await page.locator('table').first().waitFor();
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(stand.url + path);
        await page.locator('h1').waitFor();
        await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        await page.waitForTimeout(name === 'cluster' ? 3_500 : 900);
        await page.screenshot({ path: `${OUT}${look}-${name}.png`, fullPage: name !== 'jobs' && name !== 'tasks' });
      }
      await context.close();
    }
  }
}
await browser.close();
await stand.stop();
