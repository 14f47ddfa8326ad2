import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stage, visit } from './stage.mjs';

const row = (page, id) => page.locator(`tr[data-job="${id}"]`);
const job = (on, id) => on.stand.installation.jobs.find((each) => each.id === id);

describe('jobs', () => {
  const on = stage();

  test('are listed with their trigger in words, searched, filtered, sorted and paged', () =>
    visit(on, {}, async (page) => {
      await row(page, 'nightly-invoices').getByText('Every day at 02:30').waitFor();
      await page.getByLabel('Search', { exact: true }).fill('invoices');
      await row(page, 'import-orders').waitFor({ state: 'detached' });
      assert.equal(await page.locator('tr[data-job]').count(), 1);
      assert.ok(page.url().includes('q=invoices'));
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row(page, 'import-orders').waitFor();
      await page.getByText('Disabled', { exact: true }).click();
      await row(page, 'import-orders').waitFor({ state: 'detached' });
      await row(page, 'monthly-report').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row(page, 'import-orders').waitFor();
      await page.getByLabel('Label', { exact: true }).fill('team=finance');
      await row(page, 'import-orders').waitFor({ state: 'detached' });
      assert.equal(await page.locator('tr[data-job]').count(), 2);
      await page.getByLabel('Label', { exact: true }).fill('');
      await row(page, 'import-orders').waitFor();
      assert.equal(await page.locator('tr[data-job]').count(), 50);
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await page.getByText('Page 2').waitFor();
      await row(page, 'sync-shard-60').waitFor();
      await page.reload();
      await row(page, 'sync-shard-60').waitFor();
      await page.getByRole('button', { name: 'Previous' }).click();
      await row(page, 'import-orders').waitFor();
      await page.goto(`${on.stand.url}/ns/default/jobs?sort=-id`);
      await row(page, 'year-end-close').waitFor();
      assert.equal(await page.locator('tr[data-job]').first().getAttribute('data-job'), 'year-end-close');
    }));

  test('that match no filter say so', () =>
    visit(on, {}, async (page) => {
      await page.getByLabel('Search', { exact: true }).fill('no such thing');
      await page.getByRole('heading', { name: 'No job matches' }).waitFor();
    }));

  test('are triggered, with a payload of their own if wanted', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('button', { name: 'Run import-orders now' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Payload that replaces the payload of the job').fill('{"a":');
      await dialog.getByRole('button', { name: 'Run now' }).click();
      await dialog.getByText('Invalid JSON').waitFor();
      await dialog.getByLabel('Payload that replaces the payload of the job').fill('{"a": 1}');
      await dialog.getByRole('button', { name: 'Run now' }).click();
      await page.getByText('Created a task of import-orders.').waitFor();
      await page.getByRole('link', { name: 'Show the task' }).click();
      await page.getByText('a: 1').waitFor();
      assert.deepEqual(on.stand.installation.tasks[0].payload, { a: 1 });
    }));

  test('are disabled together after a question that names them', () =>
    visit(on, {}, async (page) => {
      await page.getByLabel('Select cleanup-temp').check();
      await page.getByLabel('Select heartbeat-probe').check();
      await page.getByRole('region', { name: '2 jobs selected' }).getByRole('button', { name: 'Disable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disable 2 jobs?' });
      await dialog.getByText('cleanup-temp').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(job(on, 'cleanup-temp').enabled, true);
      await page.getByRole('region', { name: '2 jobs selected' }).getByRole('button', { name: 'Disable' }).click();
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('2 jobs: done.').waitFor();
      assert.equal(job(on, 'cleanup-temp').enabled || job(on, 'heartbeat-probe').enabled, false);
    }));

  test('have a page with definition, fires, explanation, versions and tasks', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('link', { name: 'Nightly invoices' }).click();
      await page.getByRole('heading', { name: 'Nightly invoices' }).waitFor();
      await page.getByLabel('Definition').getByText('cron: "0 30 2 * * *"').waitFor();
      await page.getByText('JSON', { exact: true }).first().click();
      await page.getByLabel('Definition').getByText('"cron": "0 30 2 * * *"').waitFor();
      await page.getByText('clocks change on this day').waitFor();
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('did not start at that instant').waitFor();
      await page.getByText('Version 2').click();
      await page.getByLabel('Show version 2').getByText('timeout: "2m"').waitFor();
      await page.locator('tr[data-task^="nightly-invoices@"]').first().waitFor();
    }));

  test('that are not there are said to be not there', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/jobs/nobody`);
      await page.getByText('There is no job "nobody".').waitFor();
    }));
});
