import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { addressOf, stage, taskIn, visit } from './stage.mjs';

const logOf = (page) => page.getByRole('log');
const textOf = async (page) => (await logOf(page).textContent()) ?? '';

describe('tasks', () => {
  const on = stage();

  test('are listed in all states and filtered by them', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/tasks`);
      for (const state of ['Running', 'Assigned', 'Retrying', 'Pending']) {
        await page.locator('tr[data-task]').getByText(state, { exact: true }).first().waitFor();
      }
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Failed' }).click();
      await page.locator('tr[data-task]').getByText('Running', { exact: true }).waitFor({ state: 'detached' });
      assert.equal(await page.locator('tr[data-task]').count(), 1);
      await page.goto(`${on.stand.url}/ns/default/tasks?job=nobody`);
      await page.getByRole('heading', { name: 'No task matches' }).waitFor();
    }));

  test('appear by themselves as they happen', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/tasks`);
      await page.locator('[data-live=on]').waitFor();
      const first = on.stand.installation.tasks.filter((task) => task.job === 'heartbeat-probe').at(-1).id;
      const fresh = await page.waitForFunction((known) => {
        const ids = [...document.querySelectorAll('tr[data-task^="heartbeat-probe@"]')].map((tr) => tr.dataset.task);
        return ids.find((id) => id > known);
      }, first);
      assert.ok(await fresh.jsonValue());
    }));

  test('show their log growing, as text, following its end until the reader scrolls up', () =>
    visit(on, {}, async (page) => {
      await page.goto(addressOf(on, taskIn(on, 'running')));
      await logOf(page).getByText('invoice 1001').waitFor();
      const before = (await textOf(page)).length;
      await page.waitForFunction((length) => document.querySelector('[role=log]').textContent.length > length, before);
      const text = await textOf(page);
      assert.ok(text.includes('<b>acme</b> & sons'), 'markup is shown as text');
      assert.ok(!text.includes('\x1b') && !text.includes('[32m'), 'terminal codes are gone');
      assert.equal(await logOf(page).locator('b').count(), 0);
      const isAtEnd = () => logOf(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 40);
      assert.ok(await isAtEnd());
      await logOf(page).evaluate((box) => { box.scrollTop = 0; });
      await page.getByRole('button', { name: 'Jump to the end' }).waitFor();
      const length = (await textOf(page)).length;
      await page.waitForFunction((known) => document.querySelector('[role=log]').textContent.length > known, length);
      assert.equal(await logOf(page).evaluate((box) => box.scrollTop), 0);
      await page.getByRole('button', { name: 'Jump to the end' }).click();
      await page.getByRole('button', { name: 'Jump to the end' }).waitFor({ state: 'detached' });
      assert.ok(await isAtEnd());
    }));

  test('give their log as a file', () =>
    visit(on, {}, async (page) => {
      await page.goto(addressOf(on, taskIn(on, 'failed')));
      await logOf(page).getByText('Attempt 3', { exact: true }).waitFor();
      await page.getByText('complete', { exact: true }).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const file = readFileSync(await (await download).path(), 'utf8');
      assert.ok(file.includes('--- Attempt 2 ---\nstarting attempt 2'));
      assert.ok(!file.includes('\x1b'));
    }));

  test('tell their attempts, error and result', () =>
    visit(on, {}, async (page) => {
      await page.goto(addressOf(on, taskIn(on, 'failed')));
      await page.getByText('3 attempts failed, the last with 500').waitFor();
      await page.locator('[data-state=timeout]').getByText('Timed out').waitFor();
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
      await page.getByText('Created a new task.').waitFor();
      await page.waitForURL(/again/);
    }));

  test('that were skipped say why', () =>
    visit(on, {}, async (page) => {
      await page.goto(addressOf(on, taskIn(on, 'skipped')));
      await page.getByText('The previous task of this job had not ended.').waitFor();
    }));

  test('show what they returned as text', () =>
    visit(on, {}, async (page) => {
      const task = on.stand.installation.tasks.find((each) => each.result?.data);
      await page.goto(addressOf(on, task));
      await page.getByText('<script>alert(1)</script>').waitFor();
    }));

  test('that wait can be given another priority', () =>
    visit(on, {}, async (page) => {
      const task = on.stand.installation.tasks.find((each) => each.id.startsWith('letter-'));
      await page.goto(addressOf(on, task));
      await page.getByRole('combobox', { name: 'Priority' }).click();
      await page.getByRole('option', { name: 'Urgent' }).click();
      await page.getByText('The priority changes to Urgent in a moment.').waitFor();
      assert.equal(task.priority, 'urgent');
    }));

  test('that run are cancelled after a question, and say so', () =>
    visit(on, {}, async (page) => {
      const task = taskIn(on, 'running');
      await page.goto(addressOf(on, task));
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel this task?' });
      await dialog.getByText('the code of a running task is interrupted').waitFor();
      await dialog.getByLabel('Reason').fill('wrong day');
      await dialog.getByRole('button', { name: 'Cancel the task' }).click();
      await page.getByText('Cancellation requested.').waitFor();
      await page.locator('[data-state=cancelled]').first().waitFor();
      await page.getByText('wrong day').waitFor();
      await page.getByText('complete', { exact: true }).waitFor();
      assert.equal(task.cancel.reason, 'wrong day');
    }));
});
