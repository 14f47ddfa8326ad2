import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOf, PHONE, stage, taskIn, visit } from './stage.mjs';

describe('workers', () => {
  const on = stage();
  const worker = (id) => on.stand.installation.workers.find((each) => each.id === id);

  test('are given another capacity', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/workers`);
      await page.getByRole('button', { name: 'Change the capacity of worker-b' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Capacity', { exact: true }).fill('200000');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await dialog.getByText('Enter a whole number from 0 to 100,000.').waitFor();
      await dialog.getByLabel('Capacity', { exact: true }).fill('24');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('8 of 24').waitFor();
      assert.equal(worker('worker-b-91d0').capacity, 24);
    }));
});

describe('the cluster', () => {
  const on = stage();

  test('shows who leads, its nodes and its engine, and is paused and resumed', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('link', { name: /node-1-c81e is the leader/ }).click();
      await page.getByText('a majority of 3 members has it on disk').waitFor();
      await page.getByText('node-3-f4aa').waitFor();
      await page.getByRole('button', { name: 'Pause the namespace' }).click();
      const dialog = page.getByRole('dialog', { name: 'Pause the namespace default?' });
      await dialog.getByRole('button', { name: 'Pause the namespace' }).click();
      await dialog.getByText('Enter a reason.').waitFor();
      await dialog.getByLabel('Reason').fill('moving house');
      await dialog.getByRole('button', { name: 'Pause the namespace' }).click();
      await page.getByText('This namespace is paused.').waitFor();
      assert.equal(on.stand.installation.cluster.pausedFor, 'moving house');
      await page.getByRole('button', { name: 'Resume the namespace' }).click();
      await page.getByText('The namespace is active again.').waitFor();
    }));

  test('is given another strategy, which is cleared', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/cluster`);
      await page.getByRole('combobox', { name: 'Strategy' }).click();
      await page.getByRole('option', { name: /adaptive/ }).click();
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('This namespace now uses Adaptive (adaptive).').waitFor();
      await page.getByRole('button', { name: 'Reset balancer' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset balancer' }).click();
      await page.getByText('The balancer was reset.').waitFor();
      assert.equal(on.stand.installation.strategy.strategy, 'adaptive');
    }));

  test('tells what happens, over an interruption', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/cluster`);
      await page.locator('[data-live=on]').first().waitFor();
      on.stand.installation.feed.publish('workerLeft', { worker: 'gone-1' });
      await page.getByText('gone-1').waitFor();
      on.stand.installation.feed.dropAll();
      await page.locator('[data-live=off]').first().waitFor();
      on.stand.installation.feed.publish('workerLeft', { worker: 'gone-2' });
      await page.locator('[data-live=on]').first().waitFor();
      await page.getByText('gone-2').waitFor();
    }));
});

describe('the frame', () => {
  const on = stage();

  test('speaks Chinese when asked, remembers it, and says so to the browser', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.getByText('中文').click();
      await page.getByRole('heading', { name: '作业' }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
      assert.equal(await page.title(), '作业 · default · Belfry');
      await page.reload();
      await page.getByRole('heading', { name: '作业' }).waitFor();
      await page.getByText('每天 02:30').waitFor();
      await page.goto(addressOf(on, taskIn(on, 'failed')));
      await page.locator('[data-state=timeout]').getByText('超时').waitFor();
    }));

  test('speaks the language of the browser at first', () =>
    visit(on, { locale: 'zh-CN', signedIn: false }, async (page) => {
      await page.goto(on.stand.url);
      await page.getByRole('heading', { name: '登录 Belfry' }).waitFor();
    }));

  test('changes its colors when asked, and remembers it', () =>
    visit(on, { colorScheme: 'light' }, async (page) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.locator('label', { hasText: 'Dark' }).click();
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
      assert.notEqual(await ground(), light);
      await page.reload();
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    }));

  test('leads to another namespace', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('combobox', { name: 'Namespace' }).click();
      await page.getByRole('option', { name: 'reports' }).click();
      await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/ns/reports/jobs');
    }));

  test('is no wider than a phone on a phone', () =>
    visit(on, { viewport: PHONE }, async (page) => {
      const pages = ['/ns/default/jobs', '/ns/default/jobs/nightly-invoices', '/ns/default/tasks', '/ns/default/workers', '/ns/default/cluster'].map((path) => on.stand.url + path);
      for (const url of [...pages, addressOf(on, taskIn(on, 'running')), addressOf(on, taskIn(on, 'failed'))]) {
        await page.goto(url);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, url);
      }
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Jobs' }).click();
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Label', { exact: true }).waitFor();
    }));

  test('can be walked through by the keyboard', () =>
    visit(on, {}, async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
      const seen = [];
      for (let i = 0; i < 14; i++) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent));
      }
      for (const name of ['Namespace', 'Account and settings', 'Tasks', 'Workers', 'Cluster']) {
        assert.ok(seen.includes(name), `${name} was not reached; seen: ${seen.join(' | ')}`);
      }
      await page.getByRole('switch').first().focus();
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.equal(outline, 'solid', 'the focus can be seen');
    }));

  test('does not jump while it loads', () =>
    visit(on, {}, async (page) => {
      await page.addInitScript(() => {
        window.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.shifted += entry.value; })).observe({ type: 'layout-shift', buffered: true });
      });
      for (const path of ['jobs', 'tasks', 'workers', 'cluster', 'jobs/nightly-invoices']) {
        await page.goto(`${on.stand.url}/ns/default/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        const shifted = await page.evaluate(() => window.shifted);
        assert.ok(shifted < 0.1, `${path} moved by ${shifted}`);
      }
    }));

  test('says that there is no such page', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/moon`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }));
});
