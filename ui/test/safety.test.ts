import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { code, HOME, sources } from './sources';

const where = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('the code', () => {
  test('never puts text into the page as markup', () => {
    expect(where(/dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc/i)).toEqual([]);
  });

  test('never runs text', () => {
    expect(where(/\beval\(|new Function\(|javascript:/)).toEqual([]);
  });

  test('asks nobody but its own server', () => {
    // The one address is the name of a format, not a place.
    const addresses = sources.flatMap(({ text }) => [...text.matchAll(/https?:\/\/[^\s'"`<>)]+/g)].map((match) => match[0]));
    expect([...new Set(addresses)]).toEqual(['http://www.w3.org/2000/svg']);
  });

  test('has no any, and no check switched off', () => {
    const lax = code.filter(({ text }) => /:\s*any\b|<any>|as any\b|@ts-(ignore|nocheck|expect-error)/.test(text)).map(({ path }) => path);
    expect(lax).toEqual([]);
  });

  test('is kept in files that can be read at a glance', () => {
    const long = code.filter(({ text, path }) => !path.includes('words/') && text.split('\n').length > 250).map(({ path }) => path);
    expect(long).toEqual([]);
  });
});

describe('the page', () => {
  test('has no inline script or style', () => {
    const page = readFileSync(join(HOME, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<style|style=|\son\w+=/);
    expect(page.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="/src/main.tsx">']);
  });
});

describe('the styles of Mantine', () => {
  test('are there for every component that is used', () => {
    const listed = sources.find(({ path }) => path.endsWith('frame/mantine.ts'))!.text;
    const used = code.flatMap(({ text }) => [...text.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap((match) => match[1]!.split(',').map((name) => name.replace('type ', '').trim())));
    const missing = [...new Set(used)].filter((name) => existsSync(join(HOME, `node_modules/@mantine/core/styles/${name}.css`)) && !listed.includes(`/${name}.layer.css'`));
    expect(missing).toEqual([]);
  });
});
