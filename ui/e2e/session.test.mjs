import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stage, visit } from './stage.mjs';

describe('signing in', () => {
  const on = stage();

  test('leads back to where one was when the session ended', () =>
    visit(on, {}, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/workers`);
      await page.getByRole('heading', { name: 'Workers' }).waitFor();
      on.stand.installation.endSessions();
      await page.getByText('Your session has ended.').waitFor();
      await page.getByLabel('Token', { exact: true }).fill('admin');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Workers' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/ns/default/workers');
    }));

  test('leads to the page that was asked for', () =>
    visit(on, { signedIn: false }, async (page) => {
      await page.goto(`${on.stand.url}/ns/default/tasks?state=failed`);
      await page.getByLabel('Token', { exact: true }).fill('admin');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Tasks' }).waitFor();
      assert.equal(new URL(page.url()).search, '?state=failed');
    }));

  test('by a link asks before it replaces the session of another', () =>
    visit(on, {}, async (page) => {
      await page.goto(on.stand.linkFor('viewer'));
      await page.getByText('You are signed in as admin. This link signs you in as viewer instead.').waitFor();
      await page.getByRole('button', { name: 'Stay signed in as admin' }).click();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      const role = () => page.evaluate(async () => (await (await fetch('/api/v1/me')).json()).role);
      assert.equal(await role(), 'admin');
      await page.goto('about:blank');
      await page.goto(on.stand.linkFor('viewer'));
      await page.getByRole('button', { name: 'Sign in as viewer' }).click();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      assert.equal(await role(), 'viewer');
    }));

  test('is undone by signing out', () =>
    visit(on, {}, async (page) => {
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Belfry' }).waitFor();
      await page.goto(`${on.stand.url}/ns/default/jobs`);
      await page.getByRole('heading', { name: 'Sign in to Belfry' }).waitFor();
    }));
});

describe('a server without encryption', () => {
  const on = stage({ insecure: true });
  test('is announced on every page', () =>
    visit(on, {}, async (page) => {
      await page.getByText('This server is reachable without encryption.').waitFor();
      await page.goto(`${on.stand.url}/ns/default/workers`);
      await page.getByText('This server is reachable without encryption.').waitFor();
    }));
});

describe('an empty installation', () => {
  const on = stage({ empty: true });
  test('says what to do', () =>
    visit(on, { signedIn: false }, async (page) => {
      await page.goto(on.stand.linkFor('admin'));
      await page.getByText('belfry job apply -f job.yaml --namespace default').waitFor();
      await page.getByRole('link', { name: 'Workers' }).first().click();
      await page.getByRole('heading', { name: 'No workers' }).waitFor();
    }));
});
