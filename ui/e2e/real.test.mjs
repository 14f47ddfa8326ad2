/** The main paths, on the real server. What needs a special state of the world is tested on the stand-in. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startBelfry } from './belfry.mjs';
import { fill } from './contents.mjs';
import { browser, PHONE, visit } from './stage.mjs';

describe('on the real server', () => {
  const on = {};
  before(async () => {
    on.stand = await startBelfry();
    on.browser = await browser();
    await fill(on.stand);
  });
  after(() => on.stand?.stop());

  const address = (path) => `${on.stand.url}/ns/default${path}`;
  const trigger = async (job) => (await on.stand.post(`/jobs/${job}/trigger`)).id;
  const taskAt = (id) => address(`/tasks/${encodeURIComponent(id)}`);

  test('the link that the server prints works once, and its code is seen nowhere', () =>
    visit(on, { signedIn: false }, async (page) => {
      await page.goto(on.stand.firstLink);
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/ns/default/jobs');
      assert.ok(!page.url().includes('code'));
      const cookie = (await page.context().cookies()).find((each) => each.name === 'belfry');
      assert.ok(cookie.httpOnly && cookie.sameSite === 'Strict', 'the session is out of reach of scripts and other sites');
      await page.goBack().catch(() => {}); // there may be nothing to go back to
      assert.ok(!page.url().includes('code='), 'the history has no code either');
      await page.context().clearCookies();
      await page.goto('about:blank');
      await page.goto(on.stand.firstLink);
      await page.getByText('The link was used before').waitFor();
    }));

  test('a wrong token is refused at its place, a right one is taken', () =>
    visit(on, { signedIn: false }, async (page) => {
      await page.goto(address('/workers'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Paste a token first.').waitFor();
      await page.getByLabel('Token', { exact: true }).fill('bft_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('The token is not known here').waitFor();
      await page.getByLabel('Token', { exact: true }).fill(await on.stand.tokenFor('operator'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Workers' }).waitFor();
    }));

  test('a viewer sees everything and changes nothing', () =>
    visit(on, { role: 'viewer' }, async (page) => {
      await page.getByText('every day at 02:30').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Run nightly-invoices now' }).isDisabled());
      assert.ok(await page.getByRole('switch', { name: 'Disable nightly-invoices' }).isDisabled());
      const status = await page.evaluate(async () => {
        const me = await (await fetch('/api/v1/me')).json();
        return (await fetch('/api/v1/namespaces/default/jobs/nightly-invoices/disable', { method: 'POST', headers: { 'Belfry-Csrf': me.csrf } })).status;
      });
      assert.equal(status, 403, 'the server decides, not the page');
    }));

  test('a job is triggered, and its task is seen to finish by itself', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('button', { name: 'Run nightly-invoices now' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Payload that replaces the payload of the job').fill('{"region": "asia"}');
      await dialog.getByRole('button', { name: 'Run now' }).click();
      await page.getByText('Created a task of nightly-invoices.').waitFor();
      await page.getByRole('link', { name: 'Show the task' }).click();
      await page.getByText('region: asia').waitFor();
      await page.locator('main [data-state=succeeded]').first().waitFor();
      await page.getByRole('log').getByText('writing invoices').waitFor();
      await page.locator('[data-log=ended]').waitFor();
      await page.goto(address('/jobs/nightly-invoices'));
      await page.getByRole('region', { name: 'Recent tasks' }).locator('[data-state=succeeded]').first().waitFor();
    }));

  test('the log of a running script grows as it runs, as text, until it is cancelled', () =>
    visit(on, {}, async (page) => {
      await page.goto(taskAt(await trigger('count-on')));
      const log = page.getByRole('log');
      await log.getByText('counted to 2 & <b>on</b>').waitFor();
      await page.locator('main [data-state=running]').first().waitFor();
      await log.getByText('counted to 8 &').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('seen enough');
      await dialog.getByRole('button', { name: 'Cancel the task' }).click();
      await page.locator('main [data-state=cancelled]').first().waitFor();
      await page.getByText('seen enough').first().waitFor();
      await page.getByText('The task ended without a result.').waitFor();
    }));

  test('a task that no worker can do says why it failed, and is done again', () =>
    visit(on, {}, async (page) => {
      await page.goto(taskAt(await trigger('import-orders')));
      await page.getByText('Task failed').waitFor();
      await page.getByText('Register it on every worker').first().waitFor();
      await page.getByText('Rejected, not retried').waitFor();
      const before = page.url();
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
      await page.getByText('Created a new task.').waitFor();
      await page.waitForFunction((old) => location.href !== old, before);
      await page.getByText('Task failed').waitFor();
    }));

  test('a job is switched off and on, explained, and tells when clocks change', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('switch', { name: 'Disable clock-change' }).focus();
      await page.keyboard.press('Space');
      await page.getByText('clock-change is disabled.').waitFor();
      assert.equal((await on.stand.ask('/jobs/clock-change')).enabled, false);
      await page.getByRole('switch', { name: 'Enable clock-change' }).focus();
      await page.keyboard.press('Space');
      await page.getByText('clock-change is enabled.').waitFor();
      await page.goto(address('/jobs/clock-change'));
      await page.getByText('clocks go forward: moved from 02:30').waitFor();
      await page.getByText('clocks go back: the first of two').waitFor();
      await page.getByText('Version 3').waitFor();
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('It is not due yet').waitFor();
    }));

  test('a worker is drained, says so, and takes work again', () =>
    visit(on, {}, async (page) => {
      await page.goto(address('/workers'));
      await page.getByRole('button', { name: 'Drain bell' }).click();
      await page.getByRole('dialog', { name: 'Drain this worker?' }).getByRole('button', { name: 'Drain' }).click();
      await page.locator('tr[data-worker] [data-state=draining]').waitFor();
      await page.getByRole('button', { name: 'Resume work on bell' }).click();
      await page.locator('tr[data-worker] [data-state=draining]').waitFor({ state: 'detached' });
    }));

  test('the cluster is shown, paused and resumed, and events are heard', () =>
    visit(on, {}, async (page) => {
      await page.goto(address('/cluster'));
      await page.getByText('there is no copy on another machine').waitFor();
      await page.locator('[data-live=on]').first().waitFor();
      const id = await trigger('nightly-invoices');
      await page.getByRole('list', { name: 'Events' }).getByText(id).first().waitFor();
      await page.getByText('Task succeeded').first().waitFor();
      await page.getByRole('button', { name: 'Pause the namespace' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Pause the namespace' }).click();
      await dialog.getByText('Enter a reason.').waitFor();
      await dialog.getByLabel('Reason').fill('moving house');
      await dialog.getByRole('button', { name: 'Pause the namespace' }).click();
      await page.getByText('This namespace is paused.').waitFor();
      assert.equal((await on.stand.ask('/cluster')).pausedFor, 'moving house');
      await page.getByRole('button', { name: 'Resume the namespace' }).click();
      await page.getByText('The namespace is active again.').waitFor();
    }));

  test('it speaks Chinese to those who do, also on a phone', () =>
    visit(on, { locale: 'zh-CN', viewport: PHONE }, async (page) => {
      await page.getByRole('heading', { name: '作业' }).waitFor();
      await page.getByText('每天 02:30').waitFor();
      await page.goto(address('/jobs/clock-change'));
      await page.getByText('时钟拨快：由 02:30 顺延').waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
      await page.getByRole('button', { name: '账户与设置' }).click();
      await page.getByText('English').click();
      await page.getByText('clocks go forward: moved from 02:30').waitFor();
    }));

  test('when its session ends, the page leads to the login and back', () =>
    visit(on, {}, async (page) => {
      await page.goto(address('/tasks?state=failed'));
      await page.getByRole('heading', { name: 'Tasks' }).waitFor();
      await page.evaluate(async () => {
        const me = await (await fetch('/api/v1/me')).json();
        await fetch('/api/v1/logout', { method: 'POST', headers: { 'Belfry-Csrf': me.csrf } });
      });
      await page.getByRole('link', { name: 'Workers' }).first().click();
      await page.getByText('Your session has ended.').waitFor();
      await page.getByLabel('Token', { exact: true }).fill(await on.stand.tokenFor('admin'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Workers' }).waitFor();
    }));

  test('the first page comes compressed and within its budget', async () => {
    const context = await on.browser.newContext();
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    let bytes = 0;
    network.on('Network.loadingFinished', (event) => { bytes += event.encodedDataLength; });
    await page.goto(on.stand.url);
    await page.getByLabel('Token', { exact: true }).waitFor();
    await context.close();
    assert.ok(bytes > 50_000 && bytes < 250_000, `${bytes} bytes`);
  });
});
